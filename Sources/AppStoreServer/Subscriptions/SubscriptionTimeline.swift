import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Tells a subscription's history and its next steps.
enum SubscriptionTimeline {
    /// How many periods and events a page has, the newest of those that are left.
    static let rowsMax = 200
    static let stepsMax = 4

    /// `GET /control/v1/subscriptions/{original}/timeline`
    static func show(_ call: StoreCall, _ original: String) throws -> SubscriptionTimelineBody {
        let id = try SubscriptionService.named(original)
        guard let shown = NumberPair(call.request.queryValue("after") ?? "0") else {
            throw Refusal(400, "badQuery", "after is not the older of an earlier page, nor 0.")
        }
        let now = call.world.time.now()
        return try call.world.database.read { scope in
            let described = try SubscriptionService.answer(id, at: now, scope)
            guard let kept = try scope.subscription(id) else { throw Refusal.subscriptionUnknown }
            let periods = try Page(of: rowsMax) {
                try scope.periods(of: kept, before: end(shown.first), countMax: $0)
            }
            let events = try Page(of: rowsMax) {
                try scope.events(of: kept, before: end(shown.second), countMax: $0)
            }
            return SubscriptionTimelineBody(
                subscription: described, periods: periods.items.reversed(),
                events: events.items.reversed(), older: older(shown, periods, events),
                next: try scope.nextSteps(of: kept, countMax: stepsMax))
        }
    }

    private static func end(_ last: Int64) -> Int64 { last == 0 ? .max : last }

    /// Where the next page begins. A list that has ended stays at its end while the other goes on.
    private static func older(
        _ shown: NumberPair, _ periods: Page<SaleBody>, _ events: Page<EventBody>
    ) -> String? {
        guard periods.next(\.self) != nil || events.next(\.self) != nil else { return nil }
        let place = NumberPair(
            first: periods.items.last.flatMap { Int64($0.sold.transactionId) } ?? shown.first,
            second: events.items.last?.number ?? shown.second)
        return "\(place)"
    }
}

extension ReadScope {
    /// The next things that the rules will do with a subscription.
    borrowing func nextSteps(
        of kept: SubscriptionRecord, countMax: Int
    ) throws -> [SubscriptionStepBody] {
        guard kept.state.dueAt != nil else { return [] }
        let due = try settling(kept)
        let pace = try pace(of: kept.environment)
        let steps = try RenewalForecast.steps(
            of: kept.state, isPaid: !kept.failsBilling && !due.failsRenewals, countMax: countMax
        ) { id, at in
            let product = try shownProduct(id, of: kept.app, at: at)
            let plan =
                product?.state == .clearedForSale
                ? product.flatMap { SubscriptionPlan($0, in: due.storefront, at: at) } : nil
            return RenewalFacts(plan: plan, pace: pace, gracePeriod: due.gracePeriod)
        }
        return steps.map { SubscriptionStepBody($0) }
    }
}

extension SubscriptionStepBody {
    fileprivate init(_ step: RenewalForecast.Step) {
        switch step.kind {
        case .renewal(let bill):
            self.init(
                renewalAt: step.at, product: bill.plan.product, amount: bill.amount,
                offer: bill.offer)
        case .failure: self.init(.paymentFailure, at: step.at)
        case .graceEnd: self.init(.gracePeriodEnd, at: step.at)
        case .expiry(let reason): self.init(.expiry, at: step.at, expirationReason: reason)
        }
    }
}
