import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Tells a subscription's history and its next steps.
enum SubscriptionTimeline {
    /// How many periods and events are shown, the newest, and how many steps to come.
    static let rowsMax = 200
    static let stepsMax = 4

    /// `GET /control/v1/subscriptions/{original}/timeline`
    static func show(_ call: StoreCall, _ original: String) throws -> SubscriptionTimelineBody {
        let id = try SubscriptionService.named(original)
        let now = call.world.time.now()
        return try call.world.database.read { scope in
            let described = try SubscriptionService.answer(id, at: now, scope)
            guard let kept = try scope.subscription(id) else { throw Refusal.subscriptionUnknown }
            let periods = try Page(of: rowsMax) { try scope.periods(of: kept, countMax: $0) }
            let events = try Page(of: rowsMax) { try scope.events(of: kept, countMax: $0) }
            return SubscriptionTimelineBody(
                subscription: described, periods: periods.items.reversed(),
                events: events.items.reversed(),
                isWhole: periods.next(\.self) == nil && events.next(\.self) == nil,
                next: try scope.nextSteps(of: kept, countMax: stepsMax))
        }
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
