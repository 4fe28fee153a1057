import Dispatch
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Gives devices the signed data of their accounts.
enum SignedDataService {
    /// `GET /device/v1/signed?after=N`
    static func changes(_ call: StoreCall, _ responder: Responder) throws {
        let (session, account) = try call.context.signedIn(call.request)
        let countMax = SignedChangesBody.transactionsMax
        let changes = SignedChanges(
            session: session, account: account, after: EventNumber(try call.request.after()),
            count: try call.request.limit(countMax, countMax: countMax), world: call.world)
        let answer: @Sendable () -> Void = { [scene = call.context] in
            scene.answer(responder) { .json(try WireJSON.encode(changes.body())) }
        }
        // A listener's thread signs no page.
        if try changes.areMany() {
            call.parts.runLarge(.receipt, responder, answer)
        } else {
            DispatchQueue.global().async(execute: answer)
        }
    }

    /// `GET /device/v1/app-transaction`
    static func appTransaction(_ call: StoreCall) throws -> SignedAppTransactionBody {
        let (session, account) = try call.context.signedIn(call.request)
        let now = call.world.time.now()
        let (maker, payload) = try call.world.database.read { scope in
            guard let found = try scope.appTransaction(of: account.id, in: session.app) else {
                throw Refusal(
                    404, "appTransactionUnknown", "This account never got this app on a device.")
            }
            let maker = try DeviceSignedData(session, account, at: now, scope).maker
            return (maker, maker.appTransaction(found, appVersion: session.appVersion))
        }
        let signer = try call.world.dataSigner(for: maker.environment)
        return SignedAppTransactionBody(appTransaction: try signer.sign(payload, at: now))
    }
}

/// A device's question for what is signed and changed after an event.
private struct SignedChanges: Sendable {
    let session: DeviceSession
    let account: Account
    let after: EventNumber
    let count: Int
    let world: World

    private struct Page: Sendable {
        let data: DeviceSignedData
        let transactions: [DeviceSignedData.Transaction]
        let deleted: [TransactionID]
        let groups: [DeviceSignedData.Group]?
        let cursor: EventNumber
        let hasMore: Bool

        var isAnySigned: Bool {
            !transactions.isEmpty || groups?.contains { !$0.subscriptions.isEmpty } ?? false
        }
    }

    /// Whether looking for them takes long.
    func areMany() throws -> Bool {
        try world.database.read { scope in
            try scope.hasEvents(
                of: account.id, in: session.app, after: start(try scope.lastEventNumber()),
                moreThan: Limits.quickReceiptPurchasesMax)
        }
    }

    func body() throws -> SignedChangesBody {
        let now = world.time.now()
        let page = try world.database.read { try read(at: now, $0) }
        let deleted = page.deleted.isEmpty ? nil : page.deleted.map { "\($0)" }
        guard page.isAnySigned else {
            let groups = page.groups?.map {
                SignedGroupBody(
                    groupId: $0.id, isEligibleForIntroductoryOffer: $0.isEligible, statuses: [])
            }
            return SignedChangesBody(
                header: nil, transactions: [], deleted: deleted, groups: groups,
                cursor: page.cursor.rawValue, hasMore: page.hasMore)
        }
        let signing = try DeviceSigning(page.data.maker, in: world)
        return SignedChangesBody(
            header: signing.header, transactions: try page.transactions.map(signing.body),
            deleted: deleted, groups: try page.groups?.map(signing.body),
            cursor: page.cursor.rawValue, hasMore: page.hasMore)
    }

    private func read(at now: Timestamp, _ scope: borrowing ReadScope) throws -> Page {
        let last = try scope.lastEventNumber()
        let start = start(last)
        let page = try scope.changedTransactions(
            of: account.id, in: session.app, on: session.device, after: start, count: count)
        // Cut where they are too many: what changed behind the cut comes once more.
        let deleted = try scope.deletedTransactions(
            of: account.id, in: session.app, on: session.device, after: start,
            upTo: page.next ?? last, count: count)
        let next = deleted.next ?? page.next
        let data = try DeviceSignedData(session, account, at: now, scope)
        // The pages before this one, which also hold events, are not known any more: after them,
        // this one is not empty.
        let mayDiffer =
            try start.rawValue == 0 || !page.transactions.isEmpty
            || scope.mayHaveOtherStatus(account.id, in: session.app, after: start)
        return Page(
            data: data, transactions: try data.transactions(page.transactions, scope),
            deleted: deleted.ids,
            groups: next == nil && mayDiffer ? try data.groups(scope) : nil,
            cursor: next ?? last, hasMore: next != nil)
    }

    /// A cursor from the future comes from a world that was set back: start over.
    private func start(_ last: EventNumber) -> EventNumber {
        after <= last ? after : EventNumber(0)
    }
}
