import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Lists refunds, and carries one through: asked for, answered by the app, decided, reversed.
enum RefundControl {
    /// `GET /control/v1/refunds?after=…`, of all accounts and apps.
    static func list(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let after = try request.queryNumber("after") ?? 0
            let countMax = Limits.refundsPerAnswerMax
            let body = try scene.world.database.read { scope in
                let found = try scope.namedRefunds(after: after, countMax: countMax + 1)
                return RefundsBody(
                    refunds: found.prefix(countMax).map { RefundBody($0) },
                    next: found.count > countMax
                        ? found[countMax - 1].purchase.id.rawValue : nil)
            }
            return .json(try WireJSON.encode(body))
        }
    }

    /// `GET /control/v1/refunds/{transactionId}`
    static func show(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let id = try named(id)
            let found = try scene.world.database.read { scope in
                guard let sold = try scope.transaction(id) else {
                    throw Refusal.transactionUnknown
                }
                return try scope.namedRefund(of: scope.refundedPurchase(of: sold).id)
            }
            guard let found else { throw Refusal.refundUnknown }
            return .json(try WireJSON.encode(RefundBody(found)))
        }
    }

    /// `POST …/request`: a customer asks for the money; the same answer however often.
    static func request(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let reason = try request.decoded(RequestRefundBody.self).reason
            change(.request(reason), id, scene, responder)
        }
    }

    /// `PUT …/consumption`: the app says what was consumed.
    static func answer(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            change(.answer(try request.decoded(Consumption.self)), id, scene, responder)
        }
    }

    /// `POST …/grant`
    static func grant(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            change(
                .grant(try request.decoded(GrantRefundBody.self).type), id, scene, responder)
        }
    }

    /// `POST …/decline` and `POST …/reverse`, whose bodies say nothing, and those above.
    static func change(
        _ change: RefundChange, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let id = try named(id)
            let time = scene.world.time
            scene.commitSettling(responder) { scope, left in
                try change.carryOut(on: id, except: left, scope, time: time)
            } then: { outcome in
                CrashPoint.storeRefundCommitted.reach()
                if outcome.isNew { tell(outcome.refund, scene) }
                return .json(try WireJSON.encode(RefundBody(outcome.refund)))
            }
        }
    }

    private static func tell(_ refund: NamedRefund, _ scene: Scene) {
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
    fileprivate init(_ named: NamedRefund) {
        self.init(
            named.refund, environment: named.purchase.environment, account: named.account,
            bundleId: named.bundleID, productId: named.purchase.product.rawValue,
            consumptionDueDate: RefundRules.answerDue(named.refund))
    }
}
