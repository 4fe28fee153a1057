import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Restores an account's purchases.
enum RestoreService {
    /// `POST /device/v1/restores`; a repeated request for a page gets the same answer.
    static func restore(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let asked = try RestoreRequest(try request.decoded(RestoreRequestBody.self))
            let restore = Restore(
                request: asked, session: session, account: account, environment: try scene.placed())
            let time = scene.world.time
            scene.commit(responder) { scope in
                try scope.requireToken(of: session)
                return try restore.answer(scope, time: time)
            } then: { outcome in
                tell(outcome, of: account, in: scene)
                return .json(try WireJSON.encode(RestoreAnswerBody(outcome)))
            }
        }
    }

    /// Reports a committed page to the log, and to the device's polls.
    static func tell(_ outcome: Restore.Outcome, of account: Account, in scene: Scene) {
        CrashPoint.storeRestoreCommitted.reach()
        guard outcome.isNew else { return }
        scene.world.updates.wake(account.id, .signedData)
        scene.log.event(
            StoreEvent.purchasesRestored, ("account", .number(account.id.rawValue)),
            ("count", .number(Int64(outcome.transactions.count))))
    }
}

/// A device's request, within the limits.
struct RestoreRequest: Hashable, Sendable {
    let restore: RestoreID
    let applicationUsername: String?
    /// The number of the last purchase on the previous page; 0 for the first page.
    let after: TransactionID

    static let unknownPosition = Refusal(
        422, "badField", "after must be the next of the previous page.")

    init(_ body: RestoreRequestBody) throws {
        restore = RestoreID(try checkedUUID(body.restoreId, "restoreId"))
        applicationUsername = try checkedUsername(body.applicationUsername)
        guard let text = body.after else {
            after = TransactionID(0)
            return
        }
        guard let number = Int64(text), "\(number)" == text, number > 0 else {
            throw Self.unknownPosition
        }
        after = TransactionID(number)
    }
}

extension RestoreAnswerBody {
    init(_ outcome: Restore.Outcome) {
        self.init(
            transactions: outcome.transactions.map { TransactionBody($0) },
            next: outcome.page.last.map { "\($0)" }, receiptRevision: outcome.receiptRevision)
    }
}

extension OriginalBody {
    init(_ purchase: StoreTransaction) {
        self.init(
            transactionId: "\(purchase.id)", productId: purchase.product.rawValue,
            quantity: purchase.quantity, purchaseDate: purchase.purchasedAt,
            applicationUsername: purchase.applicationUsername)
    }
}
