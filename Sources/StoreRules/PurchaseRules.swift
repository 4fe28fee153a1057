package import StoreModel

/// What a device asks when its person wants to buy.
package struct PurchaseCommand: Hashable, Sendable {
    package let account: AccountID
    /// SHA-256 of what the device asked for, so that a reused id with another request is noticed.
    package let bodyDigest: [UInt8]
    package let quantity: Int
    /// What the sheet showed for the whole quantity; nil when it showed nothing.
    package let shownPrice: Money?
    /// Whether to treat it as one that needs approval, which the sandbox does.
    package let simulatesAskToBuy: Bool

    package init(
        account: AccountID, bodyDigest: [UInt8], quantity: Int, shownPrice: Money? = nil,
        simulatesAskToBuy: Bool = false
    ) {
        self.account = account
        self.bodyDigest = bodyDigest
        self.quantity = quantity
        self.shownPrice = shownPrice
        self.simulatesAskToBuy = simulatesAskToBuy
    }
}

/// What the store knows when it decides.
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
    package let knownAttempt: KnownAttempt?
    /// As devices see it now.
    package let product: Product?
    /// The account's first purchase of this product; not asked for when it can be bought again.
    package let firstPurchase: StoreTransaction?
    package let settings: AccountSettings
    /// How many of the account's purchases wait for somebody.
    package let waitingCount: Int
    /// Whether the account's receipt in the app shows `receiptPurchasesMax` purchases.
    package let isReceiptFull: Bool
    /// Of an auto-renewable subscription that can be sold.
    package let subscription: SubscriptionPurchaseFacts?
    /// What the payment asks for beside its product.
    package let offer: AskedOffer
    /// What the account can spend; nil where nobody counts that.
    package let means: PurchaseMeans?

    package init(
        environment: StoreEnvironment, storefront: Storefront, now: Timestamp,
        knownAttempt: KnownAttempt?, product: Product?, firstPurchase: StoreTransaction?,
        settings: AccountSettings = .plain, waitingCount: Int = 0, isReceiptFull: Bool = false,
        subscription: SubscriptionPurchaseFacts? = nil, offer: AskedOffer = .none,
        means: PurchaseMeans? = nil
    ) {
        self.environment = environment
        self.storefront = storefront
        self.now = now
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

/// What becomes of an attempt.
package enum PurchaseDecision: Hashable, Sendable {
    /// The attempt is known: answer what it became.
    case answerKnown
    /// Its id was used before for something else.
    case idReused
    case refuse(RefusalCode)
    /// A transaction comes about. `original` is the purchase it counts as, when the account
    /// owned the product already.
    case sell(Product, charge: Money, original: StoreTransaction?)
    /// A period of a subscription is paid for. What is left of the one whose place it takes is
    /// given back.
    case subscribe(SubscriptionBill, refund: Money?)
    /// Nothing is paid now: a subscription goes on with this product, nil for the present one.
    case changeRenewal(ProductID?, SubscriptionOffer?, group: String)
    /// It is kept until somebody answers, and decided anew then.
    case wait(WaitingCause)
    /// The account cannot pay the price: it lacks so much.
    case unpaid(price: Money, missing: Money)
    /// The same, and a payment provider is to be asked for what it lacks.
    case ask(price: Money, missing: Money)
    /// What it gives back is still being paid for: it is decided anew once that is known.
    case later(price: Money)
}

package enum PurchaseRules {
    /// The most of a consumable or a non-renewing subscription that one payment may ask for.
    package static let quantityMax = 10
    /// The most purchases of one account that may wait for somebody at once.
    package static let waitingMax = 100
    /// The most purchases of one account in one app that its receipt shows. However long their
    /// identifiers, so many can be signed; at ordinary length their receipt is short enough for
    /// `verifyReceipt`, too.
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
        // What is owned costs nothing, whatever the sheet showed.
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

    /// The sheet shows what an offer costs that the payment asks for. Of one that comes by itself
    /// it shows the subscription's own price.
    private static func subscribe(
        _ command: PurchaseCommand, given facts: PurchaseFacts
    ) -> PurchaseDecision {
        guard let subscription = facts.subscription else { return .refuse(.kindNotSold) }
        let decision: PurchaseDecision
        switch subscription.decide(asking: facts.offer.offer, at: facts.now) {
        case .charge(let bill, let refund): decision = .subscribe(bill, refund: refund)
        case .atRenewal(let product, let offer):
            decision = .changeRenewal(product, offer, group: subscription.plan.group)
        case .goesOn: return .changeRenewal(nil, nil, group: subscription.plan.group)
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
        // What was authorized before does not suffice, and is let go of.
        let lacking = facts.means?.missingCredit(for: price, givenBack: givenBack) ?? missing
        guard facts.means?.asksProvider == true, facts.offer.mayWait else {
            return .unpaid(price: price, missing: lacking)
        }
        guard facts.waitingCount < waitingMax else { return .refuse(.tooManyWaiting) }
        return .ask(price: price, missing: lacking)
    }

    /// What an attempt must wait for; nil when it is bought at once. Nobody is asked for what the
    /// account owns.
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
    /// Whether who owns it pays nothing for buying it again.
    package var isBoughtOnce: Bool {
        switch self {
        case .nonConsumable: true
        case .consumable, .nonRenewing, .autoRenewable: false
        }
    }

    /// Apple allows a quantity above 1 for these only.
    var canBeBoughtInNumbers: Bool {
        switch self {
        case .consumable, .nonRenewing: true
        case .nonConsumable, .autoRenewable: false
        }
    }
}

extension SaleState {
    /// Whether the store knows such a product at all, for sale or not.
    package var isKnownToDevices: Bool {
        switch self {
        case .clearedForSale, .removedFromSale: true
        case .pendingApproval, .rejected: false
        }
    }
}
