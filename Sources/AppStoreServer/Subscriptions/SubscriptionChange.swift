import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// A change of a subscription by the world's owner, or by the customer in the account's settings,
/// on its way through one commit. What was due is settled first.
enum SubscriptionChange: Sendable {
    /// The next period begins now. `after` is the newest period that the caller has seen: a
    /// repeated request is refused.
    case renew(after: TransactionID?)
    /// The present period ends now, and the subscription does not renew.
    case expire(ExpirationReason)
    case setAutoRenew(Bool)
    /// Payments fail from now on, or no longer do; an owed payment is then tried at once.
    case setFailsBilling(Bool)
    case choose(ProductID)
    /// `from` is, likewise, the end that the caller has seen.
    /// A `request` that was carried out before changes nothing.
    case extend(days: Int, from: Timestamp?, request: String? = nil)
    case increasePrice(Price, needsConsent: Bool)

    /// Returns the changed subscription.
    func carryOut(
        on original: TransactionID, _ scope: borrowing WriteScope, time: WorldTime
    ) throws -> SubscriptionRecord {
        let found = try scope.reading.subscription(original)
        guard let found, try !scope.reading.isRemains(found.account) else {
            throw Refusal.subscriptionUnknown
        }
        let now = time.now()
        let kept = try Settlement.settled(found, until: now, time: time, scope)
        return try carryOut(on: kept, at: now, scope, time: time)
    }

    /// The same for a subscription that is settled as of a moment.
    func carryOut(
        on kept: SubscriptionRecord, at now: Timestamp, _ scope: borrowing WriteScope,
        time: WorldTime
    ) throws -> SubscriptionRecord {
        guard kept.payment == nil else { throw Refusal.paymentOpen }
        do {
            return try change(kept, scope, at: now, time: time)
        } catch let refusal as SubscriptionRefusal {
            throw Refusal(refusal)
        }
    }

    /// Settles what is due of a subscription, in a commit of its own: a later refusal then undoes
    /// nothing that was due. Returns its account.
    static func settle(
        _ original: TransactionID, _ scope: borrowing WriteScope, time: WorldTime
    ) throws -> AccountID {
        let found = try scope.reading.subscription(original)
        guard let found else { throw Refusal.subscriptionUnknown }
        return try Settlement.settled(found, until: time.now(), time: time, scope).account
    }

    private func change(
        _ before: SubscriptionRecord, _ scope: borrowing WriteScope, at now: Timestamp,
        time: WorldTime
    ) throws -> SubscriptionRecord {
        var kept = before
        switch self {
        case .renew(let seen):
            if let seen, seen != kept.newest { throw Refusal.subscriptionChanged }
            return try renewNow(kept, scope, at: now, time: time)
        case .expire(let reason):
            guard kept.state.isOpen else { throw SubscriptionRefusal.ended }
            try endPeriod(of: &kept, at: now, time, scope)
            kept.state = RenewalRules.expired(kept.state, reason)
            try scope.withdrawQuestion(about: before.state, after: kept, at: time.record(now))
            return try save(kept, after: before, at: now, time, scope) { .expired(reason, $0) }
        case .setAutoRenew(let isOn):
            kept.state = try SubscriptionChangeRules.setAutoRenew(isOn, kept.state, at: now)
            if kept.state == before.state { return kept }
            try scope.askAgain(&kept, after: before, at: time.record(now))
            return try saveRenewal(kept, after: before, at: now, time, scope)
        case .setFailsBilling(let fails):
            if !fails, try scope.reading.settings(of: kept.account).failsRenewals {
                throw Refusal.accountFailsRenewals
            }
            kept.failsBilling = fails
            if !fails { kept.state = SubscriptionChangeRules.payingAgain(kept.state, at: now) }
            try scope.save(kept)
            return try Settlement.settled(kept, until: now, time: time, scope)
        case .choose(let product):
            kept.state = try choose(product, kept, scope, at: now)
            try scope.askAgain(&kept, after: before, at: time.record(now))
            return try saveRenewal(kept, after: before, at: now, time, scope)
        case .extend(let days, let seen, let request):
            if let request,
                try scope.reading.extensions(of: kept).contains(where: { $0.request == request })
            {
                return kept
            }
            if let seen, seen != kept.state.expiresAt { throw Refusal.subscriptionChanged }
            guard case .active = kept.state.phase else { throw Refusal.subscriptionNotActive }
            kept.state = try SubscriptionChangeRules.extend(byDays: days, kept.state)
            try scope.setExpiry(kept.state.expiresAt, of: kept.newest, at: time.record(now))
            try scope.raiseReceiptRevision(of: kept.account, in: kept.app)
            return try save(kept, after: before, at: now, time, scope) {
                .extended($0, request: request)
            }
        case .increasePrice(let price, let needsConsent):
            return try increase(kept, price, needsConsent, at: now, time, scope)
        }
    }

    private func renewNow(
        _ before: SubscriptionRecord, _ scope: borrowing WriteScope, at now: Timestamp,
        time: WorldTime
    ) throws -> SubscriptionRecord {
        var kept = before
        guard case .active = kept.state.phase else { throw Refusal.subscriptionNotActive }
        guard now > kept.state.startedAt else { throw Refusal.subscriptionJustBegun }
        kept.state.isAutoRenewing = true
        // The customer has not agreed to it, and this renewal does not wait for that.
        if kept.state.increase?.isAgreed == false { kept.state.increase = nil }
        var ended = kept
        ended.state.expiresAt = min(now, kept.state.expiresAt)
        var rules = try Settlement(time: time, scope)
        // A paid period is not given up for an unpaid one, unless the owner wants the payment to fail.
        guard case .charge(let bill) = try rules.decision(on: ended, at: now, scope),
            try kept.canPay(bill.amount, scope)
        else { throw Refusal.subscriptionNotRenewed }
        try scope.withdrawQuestion(about: before.state, after: kept, at: time.record(now))
        if !before.state.isAutoRenewing {
            kept = try saveRenewal(kept, after: before, at: now, time, scope)
        }
        try endPeriod(of: &kept, at: now, time, scope)
        // The events that follow tell of the new period only.
        if let cut = try scope.reading.transaction(kept.newest) {
            try scope.record(.periodMoved, of: cut, at: time.record(now))
        }
        try scope.save(kept)
        return try Settlement.settled(kept, until: now, time: time, scope)
    }

    /// Ends the present period now; the payment for the rest of it is not refunded.
    private func endPeriod(
        of kept: inout SubscriptionRecord, at now: Timestamp, _ time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws {
        guard now < kept.state.expiresAt else { return }
        kept.state.expiresAt = now
        try scope.setExpiry(now, of: kept.newest, at: time.record(now))
        try scope.raiseReceiptRevision(of: kept.account, in: kept.app)
    }

    private func choose(
        _ id: ProductID, _ kept: SubscriptionRecord, _ scope: borrowing WriteScope,
        at now: Timestamp
    ) throws -> Subscription {
        let product = try scope.reading.knownProduct(id.rawValue, of: kept.app).product
        guard product.kind == .autoRenewable, product.subscriptionGroup == kept.group else {
            throw SubscriptionRefusal.otherGroup
        }
        guard product.state == .clearedForSale, product.renewalPeriod != nil else {
            throw Refusal(409, "productNotForSale", "The product is not for sale.")
        }
        return try SubscriptionChangeRules.choose(
            id == kept.state.product ? nil : id, kept.state, at: now)
    }

    private func increase(
        _ before: SubscriptionRecord, _ price: Price, _ needsConsent: Bool, at now: Timestamp,
        _ time: WorldTime, _ scope: borrowing WriteScope
    ) throws -> SubscriptionRecord {
        var kept = before
        try ProductService.check(price, in: kept.state.price.currency)
        let new = price.in(kept.state.price.currency)
        // A repeated request changes nothing.
        if let known = kept.state.increase, known.price == new,
            known.consent == (needsConsent ? .pending : .notNeeded)
        {
            return kept
        }
        guard kept.state.increase?.consent != .pending else { throw Refusal.otherPricePending }
        guard new.milliunits > kept.state.price.milliunits else {
            throw Refusal(
                409, "noPriceIncrease",
                "The price must be above the present price of the subscription.")
        }
        guard kept.state.isOpen else { throw SubscriptionRefusal.ended }
        var question: Int64?
        if needsConsent {
            let pending = try scope.reading.pendingPriceConsents(of: kept.account, in: kept.app)
            guard !pending.contains(where: { $0.product == kept.state.product }) else {
                throw Refusal.otherPricePending
            }
            question = try scope.ask(kept, about: new, at: time.record(now))
        }
        kept.state = try SubscriptionChangeRules.increasePrice(
            to: new, question: question, kept.state)
        return try save(
            kept, after: before, at: now, time, scope, as: Happening.priceIncreased)
    }

    private func saveRenewal(
        _ kept: SubscriptionRecord, after before: SubscriptionRecord, at now: Timestamp,
        _ time: WorldTime, _ scope: borrowing WriteScope
    ) throws -> SubscriptionRecord {
        try save(kept, after: before, at: now, time, scope, as: Happening.renewalChanged)
    }

    private func save(
        _ kept: SubscriptionRecord, after before: SubscriptionRecord, at now: Timestamp,
        _ time: WorldTime, _ scope: borrowing WriteScope,
        as happening: (SubscriptionTransition) -> Happening
    ) throws -> SubscriptionRecord {
        try scope.save(kept)
        try scope.record(
            happening(kept.changed(from: before.state)), of: kept, at: time.record(now))
        return kept
    }
}

extension Refusal {
    static let subscriptionUnknown = Refusal(
        404, "subscriptionUnknown",
        "This world has no subscription that began with this transaction.")

    fileprivate static let accountFailsRenewals = Refusal(
        409, "accountFailsRenewals",
        "Every renewal of the account is made to fail; set its failsRenewals to false first.")

    fileprivate static let subscriptionNotActive = Refusal(
        409, "subscriptionNotActive",
        "The subscription is not active: its payment is owed, or it has ended.")

    fileprivate static let subscriptionNotRenewed = Refusal(
        409, "subscriptionNotRenewed",
        "The subscription would not renew: its product is not for sale, it has renewed as often as "
            + "the world's pace allows, its account's credit does not suffice, or its account's "
            + "receipt is full.")

    fileprivate static let subscriptionChanged = Refusal(
        409, "subscriptionChanged",
        "The subscription has changed since you saw it; look at it before you ask again.")

    static let otherPricePending = Refusal(
        409, "otherPricePending",
        "The account has not yet answered a question about another price of the product.")

    fileprivate static let subscriptionJustBegun = Refusal(
        409, "subscriptionJustBegun",
        "The period begins at this very moment; let the world's clock move on before the next one.")

    fileprivate init(_ refusal: SubscriptionRefusal) {
        switch refusal {
        case .otherGroup:
            self.init(
                409, "otherGroup", "The product is not in this subscription's group.")
        case .alreadySubscribed:
            self.init(409, "alreadySubscribed", "The account already has this subscription.")
        case .notEligible:
            self.init(409, "offerNotEligible", "This account is not eligible for the offer.")
        case .ended:
            self.init(409, "subscriptionEnded", "The subscription has ended.")
        }
    }
}
