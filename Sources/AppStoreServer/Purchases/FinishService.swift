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
        let transaction: TransactionID
        let revision: Int64
        let isNew: Bool
    }

    /// `POST /device/v1/transactions/{id}/finish`; a repeated request gets the same answer.
    static func finish(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        let time = scene.world.time
        commit(request, scene, responder) { session, account, scope in
            let number = Int64(id).flatMap { "\($0)" == id ? TransactionID($0) : nil }
            guard let transaction = try number.flatMap({ try scope.reading.transaction($0) }),
                transaction.account == account.id, transaction.app == session.app
            else {
                throw Refusal(
                    404, "transactionUnknown", "This account has no such transaction in this app.")
            }
            return try finish(transaction, at: time.recordNow(), scope)
        }
    }

    /// `POST /device/v1/attempts/{id}/finish`: finishes the answer to a payment that only changed a
    /// renewal; a repeated request gets the same answer.
    static func finishAnswer(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        let time = scene.world.time
        commit(request, scene, responder) { session, account, scope in
            let attempt = try scope.reading.attempt(
                AttemptID(id.uppercased()), of: session.device)
            guard let attempt, attempt.account == account.id,
                let period = try attempt.transaction.flatMap({ try scope.reading.transaction($0) }),
                attempt.isAnswered(with: period)
            else {
                throw Refusal(
                    404, "attemptUnknown",
                    "This account has no such attempt on this device that changed a renewal.")
            }
            return try finish(
                attempt, answeredWith: period, by: session, of: account, at: time.recordNow(),
                scope)
        }
    }

    private static func commit(
        _ request: HTTPRequest, _ scene: Scene, _ responder: Responder,
        _ body:
            @escaping @Sendable (DeviceSession, Account, borrowing WriteScope) throws -> Finished
    ) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            scene.commit(responder) { scope in
                try scope.requireToken(of: session)
                return try body(session, account, scope)
            } then: { finished in
                tell(finished, of: account, on: session, in: scene)
                return .json(
                    try WireJSON.encode(
                        FinishAnswerBody(
                            transactionId: "\(finished.transaction)",
                            receiptRevision: finished.revision)))
            }
        }
    }

    /// Reports a committed finish to the log and the account's other devices.
    static func tell(
        _ finished: Finished, of account: Account, on session: DeviceSession, in scene: Scene
    ) {
        CrashPoint.storeFinishCommitted.reach()
        guard finished.isNew else { return }
        scene.world.updates.wake(account.id, byDevice: session.device)
        scene.log.event(
            StoreEvent.finished, ("account", .number(account.id.rawValue)),
            ("transaction", .number(finished.transaction.rawValue)))
    }

    /// Marks the answer to a payment that only changed a renewal as finished.
    static func finish(
        _ attempt: Attempt, answeredWith period: StoreTransaction, by session: DeviceSession,
        of account: Account, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Finished {
        let isNew = try scope.finish(attempt.id, of: session.device, at: now)
        return Finished(
            transaction: period.id,
            revision: try scope.reading.receiptRevision(of: account.id, in: session.app),
            isNew: isNew)
    }

    /// Marks a transaction as finished; a consumable leaves the receipt.
    static func finish(
        _ transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Finished {
        let (account, app) = (transaction.account, transaction.app)
        let isNew = try scope.finish(transaction.id, at: now)
        if isNew { try scope.record(.finished, of: transaction, at: now) }
        let leavesReceipt = isNew && transaction.kind == .consumable
        let revision =
            leavesReceipt
            ? try scope.bumpReceiptRevision(of: account, in: app)
            : try scope.reading.receiptRevision(of: account, in: app)
        return Finished(transaction: transaction.id, revision: revision, isNew: isNew)
    }
}
