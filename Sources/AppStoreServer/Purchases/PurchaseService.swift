import StoreLog
import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreSigning
import StoreWire

/// Turns attempts into transactions.
enum PurchaseService {
    /// `POST /device/v1/attempts`
    static func attempt(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let wish = try Wish(try request.decoded(AttemptRequestBody.self))
            let environment = try scene.placed()
            let time = scene.world.time
            let purchase = Purchase(
                wish: wish, session: session, account: account, environment: environment)
            scene.world.database.write { scope in
                try scope.requireToken(of: session)
                return try purchase.decide(scope, time: time)
            } then: { result in
                scene.answer(responder) {
                    let outcome = try result.get()
                    CrashPoint.storePurchaseCommitted.reach()
                    tell(outcome, of: purchase, in: scene)
                    return try answer(outcome)
                }
            }
        }
    }

    private static func tell(_ outcome: Purchase.Outcome, of purchase: Purchase, in scene: Scene) {
        let log = scene.log.adding("account", .number(purchase.account.id.rawValue))
        if outcome.isNew, let sold = outcome.transaction {
            scene.world.updates.wake(purchase.account.id)
            log.event(
                StoreEvent.purchased, ("transaction", .number(sold.transaction.id.rawValue)))
        } else if outcome.isNew, let refusal = outcome.attempt.refusal {
            log.event(StoreEvent.purchaseRefused, ("reason", .text(refusal.rawValue)))
        }
    }

    private static func answer(_ outcome: Purchase.Outcome) throws -> HTTPResponse {
        let body = AttemptAnswerBody(
            attemptId: outcome.attempt.id.rawValue, state: outcome.attempt.state,
            transaction: outcome.transaction.map { TransactionBody($0) },
            refusal: outcome.attempt.refusal.map { RefusalBody(code: $0, message: $0.message) },
            receiptRevision: outcome.receiptRevision)
        return .json(try WireJSON.encode(body))
    }
}

/// What a device asked for, within the limits.
struct Wish: Sendable {
    let attempt: AttemptID
    let product: ProductID
    let quantity: Int
    let applicationUsername: String?

    init(_ body: AttemptRequestBody) throws {
        attempt = AttemptID(try checkedUUID(body.attemptId, "attemptId"))
        product = ProductID(
            try checked(body.productId, "productId", bytesMax: Limits.identifierBytesMax))
        quantity = body.quantity
        applicationUsername = try body.applicationUsername.flatMap { name in
            name.isEmpty
                ? nil
                : try checked(name, "applicationUsername", bytesMax: Limits.identifierBytesMax)
        }
    }

    /// SHA-256 of all that was asked; no field can hold the separator.
    var digest: [UInt8] {
        let fields = [product.rawValue, "\(quantity)", applicationUsername ?? "\u{1}"]
        return sha256(Array(fields.joined(separator: "\u{0}").utf8))
    }
}

extension TransactionBody {
    init(_ delivered: DeliveredTransaction) {
        let transaction = delivered.transaction
        self.init(
            transactionId: "\(transaction.id)", originalTransactionId: "\(transaction.original)",
            productId: transaction.product.rawValue, quantity: transaction.quantity,
            purchaseDate: transaction.purchasedAt,
            originalPurchaseDate: transaction.originallyPurchasedAt,
            attemptId: transaction.attempt.rawValue, deviceGuid: delivered.deviceGuid,
            applicationUsername: transaction.applicationUsername)
    }
}

extension RefusalCode {
    /// The sentence the app shows.
    var message: String {
        switch self {
        case .quantityNotAllowed:
            "The quantity must be 1 to \(PurchaseRules.quantityMax), and 1 for what is bought once."
        case .productUnknown: "The store does not know this product."
        case .productNotForSale: "This product has been removed from sale."
        case .kindNotSold: "This store does not sell auto-renewable subscriptions yet."
        case .productionClosed:
            "This store's production environment takes no payments yet; buy in the sandbox."
        }
    }
}
