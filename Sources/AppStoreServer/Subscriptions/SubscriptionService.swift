import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Lists subscriptions, and changes one as the customer or the world's owner would.
enum SubscriptionService {
    /// `GET /control/v1/subscriptions?after=…`, of all accounts and apps or of one account.
    static func list(_ call: StoreCall) throws -> SubscriptionsBody {
        let after = try call.request.after()
        let now = call.world.time.now()
        return try call.world.database.read { scope in
            let account = try OwnerFilter(call.request, scope).account
            let page = try Page(of: Limits.subscriptionsPerAnswerMax) {
                try scope.namedSubscriptions(of: account, after: after, countMax: $0)
            }
            return SubscriptionsBody(
                subscriptions: try page.items.map { try described($0, at: now, scope) },
                next: page.next(\.kept.original.rawValue))
        }
    }

    static func show(_ call: StoreCall, _ original: String) throws -> SubscriptionBody {
        let id = try named(original)
        let now = call.world.time.now()
        return try call.world.database.read { try answer(id, at: now, $0) }
    }

    /// `POST /control/v1/subscriptions/{original}/expire` and the like, whose bodies are empty.
    static func change(_ call: StoreCall, _ change: SubscriptionChange, _ original: String)
        async throws
        -> SubscriptionBody
    {
        let kept = try await carryOut(change, on: original, call)
        let now = call.world.time.now()
        return try call.world.database.read { try answer(kept.original, at: now, $0) }
    }

    /// Changes a subscription, unless `check` throws for it, and tells who should know.
    static func carryOut(
        _ change: SubscriptionChange, on original: String, _ call: StoreCall,
        unless check:
            @escaping @Sendable (TransactionID, borrowing ReadScope) throws -> Void = { _, _ in }
    ) async throws -> SubscriptionRecord {
        let time = call.world.time
        let kept = try await afterSettling(call, original) { id, scope in
            try check(id, scope.reading)
            return try change.carryOut(on: id, scope, time: time)
        }
        call.world.renewals.wake()
        call.world.updates.wake(kept.account)
        call.world.wakeFamily(of: kept.account)
        call.log.event(
            StoreEvent.subscriptionChanged,
            ("account", .number(kept.account.rawValue)),
            ("subscription", .number(kept.original.rawValue)))
        return kept
    }

    /// Writes after settling what is due of a subscription in a commit of its own, which a later
    /// refusal does not undo.
    static func afterSettling<Value: Sendable>(
        _ call: StoreCall, _ original: String,
        _ body: @escaping @Sendable (TransactionID, borrowing WriteScope) throws -> Value
    ) async throws -> Value {
        let id = try named(original)
        let time = call.world.time
        let account = try await call.context.commit {
            try SubscriptionChange.settle(id, $0, time: time)
        }
        call.world.renewals.wake()
        call.world.updates.wake(account)
        call.world.wakeFamily(of: account)
        return try await call.context.commit { try body(id, $0) }
    }

    /// `POST …/renew`, with a body or without.
    static func renew(_ call: StoreCall, _ body: RenewSubscriptionBody?, _ original: String)
        async throws
        -> SubscriptionBody
    {
        let seen = try body?.expectedTransactionId.map { text in
            guard let number = Int64(text), "\(number)" == text else {
                throw Refusal(
                    422, "badField", "expectedTransactionId is not a transaction's number.")
            }
            return TransactionID(number)
        }
        return try await change(call, .renew(after: seen), original)
    }

    static func expire(
        _ call: StoreCall, _ body: ExpireSubscriptionBody?, _ original: String
    ) async throws -> SubscriptionBody {
        let reason = try body?.expirationReason.map { number in
            guard let reason = ExpirationReason(rawValue: number) else {
                throw Refusal(422, "badField", "expirationReason must be 1 to 5.")
            }
            return reason
        }
        return try await change(call, .expire(reason ?? .voluntary), original)
    }

    static func choose(_ call: StoreCall, _ body: ChooseSubscriptionBody, _ original: String)
        async throws
        -> SubscriptionBody
    {
        try await change(call, .choose(ProductID(body.productId)), original)
    }

    static func extend(_ call: StoreCall, _ body: ExtendSubscriptionBody, _ original: String)
        async throws
        -> SubscriptionBody
    {
        let days = body.days
        guard (1...ExtendSubscriptionBody.daysMax).contains(days) else {
            throw Refusal(
                422, "badField", "days must be 1 to \(ExtendSubscriptionBody.daysMax).")
        }
        return try await change(
            call, .extend(days: days, from: body.expectedExpiresDate), original)
    }

    static func increasePrice(
        _ call: StoreCall, _ body: IncreaseSubscriptionPriceBody, _ original: String
    ) async throws -> SubscriptionBody {
        let price = try ProductService.checkedPrice(body.price)
        return try await change(
            call, .increasePrice(price, needsConsent: body.needsConsent), original)
    }

    /// `PUT /control/v1/apps/{bundleId}/grace-period`: sets the app's grace period.
    static func setGracePeriod(_ call: StoreCall, _ body: GracePeriodBody, app: String) async throws
        -> GracePeriodBody
    {
        let period = try body.days.map { days in
            guard let period = GracePeriod(rawValue: days) else {
                let known = GracePeriod.allCases.map { "\($0.rawValue)" }
                throw Refusal(
                    422, "badField",
                    "A grace period has \(known.joined(separator: ", ")) days, or is null.")
            }
            return period
        }
        try await call.context.commit { scope in
            let app = try scope.reading.knownApp(app).id
            try scope.setGracePeriod(period, of: app)
        }
        call.log.event(StoreEvent.appChanged, ("app", .text(app)))
        return GracePeriodBody(days: period?.rawValue)
    }

    static func named(_ text: String) throws -> TransactionID {
        guard let number = Int64(text), "\(number)" == text else {
            throw Refusal.subscriptionUnknown
        }
        return TransactionID(number)
    }

    static func answer(
        _ id: TransactionID, at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> SubscriptionBody {
        guard let found = try scope.namedSubscription(id) else { throw Refusal.subscriptionUnknown }
        return try described(found, at: now, scope)
    }

    private static func described(
        _ named: NamedSubscription, at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> SubscriptionBody {
        let kept = named.kept
        return SubscriptionBody(
            originalTransactionId: "\(kept.original)", environment: kept.environment,
            account: named.account, bundleId: named.bundleID, group: kept.group,
            transactionId: "\(kept.newest)", failsBilling: kept.failsBilling,
            payment: kept.payment, renewalPrice: try scope.renewalPrice(of: kept, at: now),
            next: try scope.nextSteps(of: kept, countMax: 1).first, kept.state)
    }
}
