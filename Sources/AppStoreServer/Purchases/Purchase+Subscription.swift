import StoreDatabase
import StoreModel
import StoreRules
import StoreService

// Purchases of auto-renewable subscriptions.
extension Purchase {
    /// Settles what is due of the subscription that a purchase of this product would belong to, so
    /// that the purchase is decided as if the store had done so in time. Returns it.
    func settleDue(
        of product: Product?, _ scope: borrowing WriteScope, at now: Timestamp, time: WorldTime
    ) throws -> Subscription? {
        guard let product, product.kind == .autoRenewable, let group = product.subscriptionGroup
        else { return nil }
        let kept = try scope.reading.subscription(of: account.id, in: session.app, group: group)
        guard let kept else { return nil }
        let settled = try Settlement.settled(kept, until: now, time: time, scope)
        guard settled.payment == nil else { throw Refusal.paymentOpen }
        return settled.state
    }

    /// Continues a subscription that a test began, possibly in the past: turns renewal off if the test
    /// asks for it, and makes the renewals that were due since. The worker makes those that exceed one
    /// commit.
    func goOn(
        with sold: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope,
        time: WorldTime
    ) throws {
        guard let test = request.test,
            var kept = try scope.reading.subscription(sold.original)
        else { return }
        if test.cancelsAtOnce {
            kept = try SubscriptionChange.setAutoRenew(false).carryOut(
                on: kept, at: sold.purchasedAt, scope, time: time)
        }
        try Settlement.settleSome(of: kept, until: now, time: time, scope)
    }

    /// Nil for a product that is not a subscription, or that has no group or no period.
    func subscriptionFacts(
        of product: Product?, askedAt: Timestamp?, isIntroductionAllowed: Bool?,
        _ scope: borrowing ReadScope, now: Timestamp
    ) throws -> SubscriptionPurchaseFacts? {
        guard let product, let plan = SubscriptionPlan(product, in: account.storefront, at: now)
        else { return nil }
        let known = try scope.subscription(of: account.id, in: session.app, group: plan.group)
        let current = try known.flatMap {
            $0.state.product == product.id
                ? product : try scope.shownProduct($0.state.product, of: session.app, at: now)
        }
        let hadIntroduction =
            try isIntroductionAllowed.map { !$0 }
            ?? (known != nil
                && scope.hadIntroduction(account.id, in: session.app, group: plan.group))
        return SubscriptionPurchaseFacts(
            plan: plan, offers: product.offers, current: known?.state,
            currentPlan: current.flatMap { SubscriptionPlan($0, in: account.storefront, at: now) },
            history: OfferHistory(
                hasSubscribed: known != nil, hadIntroduction: hadIntroduction),
            pace: try scope.pace(of: environment), askedAt: askedAt)
    }

    /// Stores a period that was bought by hand, its refund of an earlier one, and the resulting
    /// subscription.
    func subscribe(
        _ bill: SubscriptionBill, refund: Money?, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> StoreTransaction {
        let known = try scope.reading.subscription(
            of: account.id, in: session.app, group: bill.plan.group)
        let id = try scope.nextTransactionID(environment)
        // An app's server may have named the user; a change of the level keeps that.
        let user =
            request.applicationUsername ?? (refund == nil ? nil : known?.applicationUsername)
        let transaction = StoreTransaction(
            id: id, original: known?.original ?? id, environment: environment, app: session.app,
            account: account.id, device: session.device, attempt: request.attempt,
            product: bill.plan.product, kind: .autoRenewable, quantity: request.quantity,
            purchasedAt: bill.startsAt, originallyPurchasedAt: known?.boughtAt ?? bill.startsAt,
            charged: bill.amount,
            storefront: account.storefront.countryCode,
            applicationUsername: user, finishedAt: nil,
            subscription: SubscribedPeriod(bill, isRenewal: false))
        try scope.addTransaction(transaction)
        if let known, let refund {
            try scope.markUpgraded(known.newest, at: now)
            let given = try scope.giveBack(refund, upgrading: known.newest, at: now)
            // Where the ledger charged nothing, as in the sandbox, this is the amount that it would
            // have been.
            try scope.addUpgradeRefund(given ?? refund, of: known.newest, at: now)
        }
        try pay(for: transaction, at: now, scope)
        let bought = SubscriptionRecord(
            environment: environment, app: session.app, account: account.id,
            group: bill.plan.group, boughtAt: known?.boughtAt ?? bill.startsAt, newest: id,
            device: session.device, applicationUsername: user,
            failsBilling: known?.failsBilling ?? false,
            state: SubscriptionChangeRules.bought(
                bill, as: id, known: known?.state, pace: try scope.reading.pace(of: environment)))
        try scope.save(bought)
        let period = SubscriptionTransition(from: known?.state, to: bought.state)
        try scope.record(.subscribed(period), of: transaction, at: now)
        if let known { try scope.withdrawQuestion(about: known.state, after: bought, at: now) }
        try FamilySharing.share(transaction, beginning: period, at: now, scope)
        return transaction
    }

    /// Notes what a subscription renews as, if that changes; returns the transaction of its present
    /// period.
    func changeRenewal(
        to product: ProductID?, _ offer: SubscriptionOffer?, group: String, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> StoreTransaction {
        let known = try scope.reading.subscription(of: account.id, in: session.app, group: group)
        guard var kept = known else {
            preconditionFailure("only an existing subscription is changed")
        }
        let before = kept
        kept.state = try SubscriptionChangeRules.choose(product, offer: offer, kept.state, at: now)
        guard let newest = try scope.reading.transaction(kept.newest) else {
            throw DatabaseError(code: .notADatabase, detail: "a subscription without transaction")
        }
        guard product != nil || kept.state != before.state else { return newest }
        // The next period belongs to this payment: a signature may name the customer it is for.
        if let name = request.applicationUsername { kept.applicationUsername = name }
        try scope.askAgain(&kept, after: before, at: now)
        try scope.save(kept)
        try scope.record(
            .renewalChanged(kept.changed(from: before.state)), of: newest, at: now)
        return newest
    }
}

extension SubscribedPeriod {
    init(_ bill: SubscriptionBill, isRenewal: Bool) {
        self.init(
            group: bill.plan.group, expiresAt: bill.endsAt,
            offer: bill.offer.map { Offer($0) },
            isRenewal: isRenewal)
    }
}
