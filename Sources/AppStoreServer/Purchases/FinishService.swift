import StoreLog
import StoreDatabase
import CrashPoints
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Takes transactions off the queue.
enum FinishService {
    struct Finished: Sendable {
        let revision: Int64
        let isNew: Bool
    }

    /// `POST /device/v1/transactions/{id}/finish`; a repeated request gets the same answer.
    static func finish(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let unknown = Refusal(
                404, "transactionUnknown", "This account has no such transaction in this app.")
            guard let number = Int64(id), "\(number)" == id else { throw unknown }
            let time = scene.world.time
            scene.commit(responder) { scope in
                try scope.requireToken(of: session)
                let transaction = try scope.reading.transaction(TransactionID(number))
                guard let transaction, transaction.account == account.id,
                    transaction.app == session.app
                else { throw unknown }
                return try finish(transaction, at: time.recordNow(), scope)
            } then: { finished in
                CrashPoint.storeFinishCommitted.reach()
                if finished.isNew {
                    scene.world.updates.wake(account.id, byDevice: session.device)
                    scene.log.event(
                        StoreEvent.finished, ("account", .number(account.id.rawValue)),
                        ("transaction", .number(number)))
                }
                return .json(
                    try WireJSON.encode(
                        FinishAnswerBody(transactionId: id, receiptRevision: finished.revision)))
            }
        }
    }

    /// Marks a transaction as finished; a consumable leaves the receipt.
    static func finish(
        _ transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Finished {
        let (account, app) = (transaction.account, transaction.app)
        let isNew = try scope.finish(transaction.id, at: now)
        if isNew { try scope.addEvent(.finished, of: transaction, at: now) }
        let leavesReceipt = isNew && transaction.kind == .consumable
        let revision =
            leavesReceipt
            ? try scope.bumpReceiptRevision(of: account, in: app)
            : try scope.reading.receiptRevision(of: account, in: app)
        return Finished(revision: revision, isNew: isNew)
    }
}
