import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Lists refunds, and takes one through its steps: requested, answered by the app, decided,
/// reversed.
enum RefundService {
    /// `GET /control/v1/refunds?after=…`, of all accounts and apps.
    static func list(_ call: StoreCall) throws -> RefundsBody {
        let after = try call.request.after()
        let page = try call.world.database.read { scope in
            try Page(of: Limits.refundsPerAnswerMax) {
                try scope.namedRefunds(after: after, countMax: $0)
            }
        }
        return RefundsBody(
            refunds: page.items.map { RefundBody($0) }, next: page.next(\.purchase.id.rawValue))
    }

    static func show(_ call: StoreCall, _ id: String) throws -> RefundBody {
        let id = try named(id)
        let found = try call.world.database.read { scope in
            guard let sold = try scope.transaction(id), try !scope.isRemains(sold.account) else {
                throw Refusal.transactionUnknown
            }
            return try scope.namedRefund(of: scope.refundedPurchase(of: sold).id)
        }
        guard let found else { throw Refusal.refundUnknown }
        return RefundBody(found)
    }

    /// `POST …/request`: a customer requests a refund; a repeated request gets the same answer.
    static func request(_ call: StoreCall, _ body: RequestRefundBody, _ id: String) async throws
        -> RefundBody
    {
        try await change(call, .request(body.reason), id)
    }

    /// `PUT …/consumption`: the app reports the consumption.
    static func answer(_ call: StoreCall, _ body: Consumption, _ id: String) async throws
        -> RefundBody
    {
        try await change(call, .answer(body), id)
    }

    static func grant(_ call: StoreCall, _ body: GrantRefundBody, _ id: String) async throws
        -> RefundBody
    {
        try await change(call, .grant(body.type), id)
    }

    /// `POST …/decline` and `POST …/reverse`, whose bodies are empty, and those above.
    static func change(_ call: StoreCall, _ change: RefundChange, _ id: String) async throws
        -> RefundBody
    {
        let id = try named(id)
        let time = call.world.time
        let outcome = try await call.context.commitSettling { scope, left in
            try change.carryOut(on: id, except: left, scope, time: time)
        }
        CrashPoint.storeRefundCommitted.reach()
        if outcome.isNew { tell(outcome.refund, call.context) }
        return RefundBody(outcome.refund)
    }

    static func tell(_ refund: NamedRefund, _ scene: Scene) {
        scene.world.renewals.wake()
        scene.world.updates.wake(refund.purchase.account)
        scene.world.wakeFamily(of: refund.purchase.account)
        scene.log.event(
            StoreEvent.refundChanged,
            ("account", .number(refund.purchase.account.rawValue)),
            ("transaction", .number(refund.purchase.id.rawValue)),
            ("state", .text(refund.refund.state.rawValue)))
    }

    private static func named(_ text: String) throws -> TransactionID {
        guard let number = Int64(text), "\(number)" == text else {
            throw Refusal.transactionUnknown
        }
        return TransactionID(number)
    }
}

extension RefundBody {
    init(_ named: NamedRefund) {
        self.init(
            named.refund, environment: named.purchase.environment, account: named.account,
            bundleId: named.bundleID, productId: named.purchase.product.rawValue,
            consumptionDueDate: RefundRules.answerDue(named.refund))
    }
}
