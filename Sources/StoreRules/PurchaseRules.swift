package import StoreModel

/// A device's request to buy.
package struct PurchaseCommand: Hashable, Sendable {
    package let account: AccountID
    /// SHA-256 of the device's request, so that a reused id with another request is noticed.
    package let bodyDigest: [UInt8]
    package let quantity: Int
    /// The sheet's price for the whole quantity; nil when it showed none.
    package let shownPrice: Money?
    /// Whether to treat it as needing approval, as the sandbox does.
    package let simulatesAskToBuy: Bool
    /// Whether buying a subscription that already renews returns its current period, as StoreKit 2
    /// does, instead of being refused.
    package let returnsCurrentPeriod: Bool

    package init(
        account: AccountID, bodyDigest: [UInt8], quantity: Int, shownPrice: Money? = nil,
        simulatesAskToBuy: Bool = false, returnsCurrentPeriod: Bool = false
    ) {
        self.account = account
        self.bodyDigest = bodyDigest
        self.quantity = quantity
        self.shownPrice = shownPrice
        self.simulatesAskToBuy = simulatesAskToBuy
        self.returnsCurrentPeriod = returnsCurrentPeriod
    }
}

/// The facts on which the store decides.
package struct PurchaseFacts: Hashable, Sendable {
    /// An attempt that is stored under the same device and id.
    package struct KnownAttempt: Hashable, Sendable {
        package let account: AccountID
        package let bodyDigest: [UInt8]

        package init(account: AccountID, bodyDigest: [UInt8]) {
            self.account = account
            self.bodyDigest = bodyDigest
        }
    }

    package let environment: StoreEnvironment
    package let storefront: Storefront
    /// The world's time, which decides the price.
    package let now: Timestamp
    /// When it begins: now, or earlier where a test wants that.
    package let beginsAt: Timestamp
    package let knownAttempt: KnownAttempt?
    /// As devices currently see it.
    package let product: Product?
    /// The account's first purchase of this product; not looked up when it can be bought again.
    package let firstPurchase: StoreTransaction?
    package let settings: AccountSettings
    /// How many of the account's purchases are waiting.
    package let waitingCount: Int
    /// Whether the account's receipt in the app shows `receiptPurchasesMax` purchases.
    package let isReceiptFull: Bool
    /// For an auto-renewable subscription that can be sold.
    package let subscription: SubscriptionPurchaseFacts?
    /// The offer of the payment.
    package let offer: AskedOffer
    /// The account's means; nil where they are not counted.
    package let means: PurchaseMeans?

    package init(
        environment: StoreEnvironment, storefront: Storefront, now: Timestamp,
        beginsAt: Timestamp? = nil, knownAttempt: KnownAttempt?, product: Product?,
        firstPurchase: StoreTransaction?,
        settings: AccountSettings = .plain, waitingCount: Int = 0, isReceiptFull: Bool = false,
        subscription: SubscriptionPurchaseFacts? = nil, offer: AskedOffer = .none,
        means: PurchaseMeans? = nil
    ) {
        self.environment = environment
        self.storefront = storefront
        self.now = now
        self.beginsAt = beginsAt ?? now
        self.knownAttempt = knownAttempt
        self.product = product
        self.firstPurchase = firstPurchase
        self.settings = settings
        self.waitingCount = waitingCount
        self.isReceiptFull = isReceiptFull
        self.subscription = subscription
        self.offer = offer
        self.means = means
    }
}

/// The outcome of an attempt.
package enum PurchaseDecision: Hashable, Sendable {
    /// The attempt is known: answer with its outcome.
    case answerKnown
    /// Its id was used before for another request.
    case idReused
    case refuse(RefusalCode)
    /// A transaction is made. `original` is the purchase it counts as, when the account already
    /// owned the product.
    case sell(Product, charge: Money, original: StoreTransaction?)
    /// A period of a subscription is paid. The rest of the period that it replaces is refunded.
    case subscribe(SubscriptionBill, refund: Money?)
    /// Nothing is paid now: the subscription continues with this product, nil for the current one.
    case changeRenewal(ProductID?, SubscriptionOffer?, group: String)
    /// It is kept until an answer comes, and then decided again.
    case wait(WaitingCause)
    /// The account cannot pay the price: this amount is missing.
    case unpaid(price: Money, missing: Money)
    /// The same, and a payment provider is to be asked for the missing amount.
    case ask(price: Money, missing: Money)
    /// The payment of the period to refund is still open: it is decided again once that is known.
    case later(price: Money)
}

package enum PurchaseRules {
    /// The maximum quantity of a consumable or a non-renewing subscription in one payment.
    package static let quantityMax = 10
    /// The most purchases of one account that may wait at once.
    package static let waitingMax = 100
    /// The most purchases of one account in one app that its receipt shows. That many can be
    /// signed, however long their identifiers; at ordinary length the receipt is also short enough
    /// for `verifyReceipt`.
    package static let receiptPurchasesMax = 20_000

    /// Decides one attempt. The first reason to refuse wins, in the order of `RefusalCode`.
    package static func decide(
        _ command: PurchaseCommand, given facts: PurchaseFacts
    ) -> PurchaseDecision {
        if let known = facts.knownAttempt {
            let isSame =
                known.account == command.account && known.bodyDigest == command.bodyDigest
            return isSame ? .answerKnown : .idReused
        }
        if let refusal = refusal(of: command, given: facts) { return .refuse(refusal) }
        if let refusal = facts.offer.refusal { return .refuse(refusal) }
        if facts.product?.kind == .autoRenewable { return subscribe(command, given: facts) }
        guard let product = facts.product,
            let charge = PriceRules.price(of: product, in: facts.storefront, at: facts.now)
                .times(command.quantity)
        else { return .refuse(.productUnknown) }
        let original = product.kind.isBoughtOnce ? facts.firstPurchase : nil
        // A product that is already owned is free, whatever the sheet showed.
        if original == nil, let shown = command.shownPrice, shown != charge {
            return .refuse(.priceChanged)
        }
        if let cause = waitingCause(of: command, isOwned: original != nil, given: facts) {
            return facts.waitingCount < waitingMax ? .wait(cause) : .refuse(.tooManyWaiting)
        }
        let nothing = Money(milliunits: 0, currency: charge.currency)
        let due = original == nil ? charge : nothing
        if let missing = facts.means?.missing(for: due) {
            return unpaid(due, missing: missing, given: facts)
        }
        return .sell(product, charge: due, original: original)
    }

    /// The sheet shows the price of an offer that the payment asks for. For an automatic offer it
    /// shows the subscription's own price.
    private static func subscribe(
        _ command: PurchaseCommand, given facts: PurchaseFacts
    ) -> PurchaseDecision {
        guard let subscription = facts.subscription else { return .refuse(.kindNotSold) }
        let decision: PurchaseDecision
        switch subscription.decide(asking: facts.offer.offer, at: facts.beginsAt) {
        case .charge(let bill, let refund): decision = .subscribe(bill, refund: refund)
        case .atRenewal(let product, let offer):
            decision = .changeRenewal(product, offer, group: subscription.plan.group)
        case .goesOn: return .changeRenewal(nil, nil, group: subscription.plan.group)
        case .refuse(.alreadySubscribed) where command.returnsCurrentPeriod:
            return .changeRenewal(nil, nil, group: subscription.plan.group)
        case .refuse(.alreadySubscribed): return .refuse(.alreadySubscribed)
        case .refuse(.notEligible), .refuse(.otherGroup), .refuse(.ended):
            return .refuse(.offerNotEligible)
        }
        let price = subscription.plan.price
        if let shown = command.shownPrice,
            shown != facts.offer.offer?.price.in(price.currency) ?? price
        {
            return .refuse(.priceChanged)
        }
        if let cause = waitingCause(of: command, isOwned: false, given: facts) {
            return facts.waitingCount < waitingMax ? .wait(cause) : .refuse(.tooManyWaiting)
        }
        if case .subscribe(let bill, let refund?) = decision, refund.milliunits > 0,
            facts.means?.isBeingCaptured == true
        {
            return .later(price: bill.amount)
        }
        if case .subscribe(let bill, let refund) = decision,
            let missing = facts.means?.missing(for: bill.amount, givenBack: refund)
        {
            return unpaid(bill.amount, missing: missing, givenBack: refund, given: facts)
        }
        return decision
    }

    private static func unpaid(
        _ price: Money, missing: Money, givenBack: Money? = nil, given facts: PurchaseFacts
    ) -> PurchaseDecision {
        // The earlier authorization does not suffice, and is released.
        let lacking = facts.means?.missingCredit(for: price, givenBack: givenBack) ?? missing
        guard facts.means?.asksProvider == true, facts.offer.mayWait else {
            return .unpaid(price: price, missing: lacking)
        }
        guard facts.waitingCount < waitingMax else { return .refuse(.tooManyWaiting) }
        return .ask(price: price, missing: lacking)
    }

    /// What an attempt must wait for; nil when it is bought at once. A product that the account
    /// owns does not need approval.
    private static func waitingCause(
        of command: PurchaseCommand, isOwned: Bool, given facts: PurchaseFacts
    ) -> WaitingCause? {
        let isSimulated = command.simulatesAskToBuy && facts.environment == .sandbox
        guard facts.offer.mayWait else { return nil }
        if !isOwned, facts.settings.needsApproval || isSimulated { return .approval }
        return facts.settings.interruptsPurchases ? .interruption : nil
    }

    private static func refusal(
        of command: PurchaseCommand, given facts: PurchaseFacts
    ) -> RefusalCode? {
        guard (1...quantityMax).contains(command.quantity) else { return .quantityNotAllowed }
        guard let product = facts.product, product.state.isKnownToDevices else {
            return .productUnknown
        }
        if command.quantity > 1, !product.kind.canBeBoughtInNumbers { return .quantityNotAllowed }
        if product.state == .removedFromSale { return .productNotForSale }
        if product.kind == .autoRenewable, facts.subscription == nil { return .kindNotSold }
        if facts.isReceiptFull { return .receiptFull }
        return nil
    }
}

extension ProductKind {
    /// Whether an owner who buys it again pays nothing.
    package var isBoughtOnce: Bool {
        switch self {
        case .nonConsumable: true
        case .consumable, .nonRenewing, .autoRenewable: false
        }
    }

    /// Apple allows a quantity above 1 only for these.
    var canBeBoughtInNumbers: Bool {
        switch self {
        case .consumable, .nonRenewing: true
        case .nonConsumable, .autoRenewable: false
        }
    }
}

extension SaleState {
    /// Whether the store lists such a product at all, for sale or not.
    package var isKnownToDevices: Bool {
        switch self {
        case .clearedForSale, .removedFromSale: true
        case .pendingApproval, .rejected: false
        }
    }
}
