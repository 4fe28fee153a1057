import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Lists subscriptions, and changes one as its person or its owner would.
enum SubscriptionControl {
    /// `GET /control/v1/subscriptions?after=…`, of all accounts and apps.
    static func list(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let after = try request.queryNumber("after") ?? 0
            let countMax = Limits.subscriptionsPerAnswerMax
            let now = scene.world.time.now()
            let body = try scene.world.database.read { scope in
                let found = try scope.namedSubscriptions(after: after, countMax: countMax + 1)
                var bodies: [SubscriptionBody] = []
                for one in found.prefix(countMax) {
                    bodies.append(try described(one, at: now, scope))
                }
                return SubscriptionsBody(
                    subscriptions: bodies,
                    next: found.count > countMax
                        ? found[countMax - 1].kept.original.rawValue : nil)
            }
            return .json(try WireJSON.encode(body))
        }
    }

    /// `GET /control/v1/subscriptions/{original}`
    static func show(
        _ request: HTTPRequest, _ original: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let id = try named(original)
            let now = scene.world.time.now()
            return try scene.world.database.read { try answer(id, at: now, $0) }
        }
    }

    /// `POST /control/v1/subscriptions/{original}/expire` and its like, whose bodies say nothing.
    static func change(
        _ change: SubscriptionChange, _ original: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let id = try named(original)
            let time = scene.world.time
            let world = scene.world
            world.database.write {
                try SubscriptionChange.settle(id, $0, time: time)
            } then: {
                settled in
                wake(afterSettling: settled, in: scene)
                world.database.write { scope in
                    _ = try settled.get()
                    return try change.carryOut(on: id, scope, time: time)
                } then: { result in
                    scene.answer(responder) { try answer(result, id, scene) }
                }
            }
        }
    }

    /// What was due has happened, also when the change after it is refused.
    static func wake(afterSettling settled: Result<AccountID, any Error>, in scene: Scene) {
        guard let account = try? settled.get() else { return }
        scene.world.renewals.wake()
        scene.world.updates.wake(account)
    }

    private static func answer(
        _ result: Result<KeptSubscription, any Error>, _ id: TransactionID, _ scene: Scene
    ) throws -> HTTPResponse {
        let kept = try result.get()
        scene.world.renewals.wake()
        scene.world.updates.wake(kept.account)
        scene.world.wakeFamily(of: kept.account)
        scene.log.event(
            StoreEvent.subscriptionChanged,
            ("account", .number(kept.account.rawValue)),
            ("subscription", .number(id.rawValue)))
        let now = scene.world.time.now()
        return try scene.world.database.read { try answer(id, at: now, $0) }
    }

    /// `POST …/renew`, with a body or without.
    static func renew(
        _ request: HTTPRequest, _ original: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let body =
                request.body.isEmpty ? nil : try request.decoded(RenewSubscriptionBody.self)
            let seen = try body?.expectedTransactionId.map { text in
                guard let number = Int64(text), "\(number)" == text else {
                    throw Refusal(
                        422, "badField", "expectedTransactionId is no transaction's number.")
                }
                return TransactionID(number)
            }
            change(.renew(after: seen), original, scene, responder)
        }
    }

    /// `POST …/choose`
    static func choose(
        _ request: HTTPRequest, _ original: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let body = try request.decoded(ChooseSubscriptionBody.self)
            change(.choose(ProductID(body.productId)), original, scene, responder)
        }
    }

    /// `POST …/extend`
    static func extend(
        _ request: HTTPRequest, _ original: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let body = try request.decoded(ExtendSubscriptionBody.self)
            let days = body.days
            guard (1...ExtendSubscriptionBody.daysMax).contains(days) else {
                throw Refusal(
                    422, "badField", "days is 1 to \(ExtendSubscriptionBody.daysMax).")
            }
            change(
                .extend(days: days, from: body.expectedExpiresDate), original, scene, responder)
        }
    }

    /// `POST …/price-increase`
    static func increasePrice(
        _ request: HTTPRequest, _ original: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let body = try request.decoded(IncreaseSubscriptionPriceBody.self)
            let price = try ProductControl.checkedPrice(body.price)
            change(
                .increasePrice(price, needsConsent: body.needsConsent), original, scene, responder)
        }
    }

    /// `PUT /control/v1/apps/{bundleId}/grace-period`: for how long the app serves who did not pay.
    static func setGracePeriod(
        _ request: HTTPRequest, app: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let body = try request.decoded(GracePeriodBody.self)
            let period = try body.days.map { days in
                guard let period = GracePeriod(rawValue: days) else {
                    let known = GracePeriod.allCases.map { "\($0.rawValue)" }
                    throw Refusal(
                        422, "badField",
                        "A grace period has \(known.joined(separator: ", ")) days, or is null.")
                }
                return period
            }
            scene.commit(responder) { scope in
                let app = try scope.reading { try $0.knownApp(app).id }
                try scope.setGracePeriod(period, of: app)
            } then: {
                scene.log.event(StoreEvent.appChanged, ("app", .text(app)))
                return .json(try WireJSON.encode(GracePeriodBody(days: period?.rawValue)))
            }
        }
    }

    static func named(_ text: String) throws -> TransactionID {
        guard let number = Int64(text), "\(number)" == text else {
            throw Refusal.subscriptionUnknown
        }
        return TransactionID(number)
    }

    static func answer(
        _ id: TransactionID, at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> HTTPResponse {
        guard let found = try scope.namedSubscription(id) else { throw Refusal.subscriptionUnknown }
        return .json(try WireJSON.encode(try described(found, at: now, scope)))
    }

    private static func described(
        _ named: NamedSubscription, at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> SubscriptionBody {
        let kept = named.kept
        return SubscriptionBody(
            originalTransactionId: "\(kept.original)", environment: kept.environment,
            account: named.account, bundleId: named.bundleID, group: kept.group,
            transactionId: "\(kept.newest)", failsBilling: kept.failsBilling,
            payment: kept.payment, renewalPrice: try renewalPrice(of: kept, at: now, scope),
            kept.state)
    }

    /// What the next renewal costs, by the prices of this moment.
    private static func renewalPrice(
        of kept: KeptSubscription, at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> Money? {
        let state = kept.state
        guard state.isAutoRenewing else { return nil }
        let next = state.nextProduct ?? state.product
        let storefront = try scope.settling(kept).storefront
        guard let product = try scope.shownProduct(next, of: kept.app, at: now),
            product.state == .clearedForSale,
            let plan = SubscriptionPlan(product, in: storefront, at: now)
        else { return next == state.product ? state.increase?.price ?? state.price : nil }
        return RenewalRules.nextAmount(of: state, plan)
    }
}
