package import StoreModel

/// What a device asks when its person wants to buy.
package struct PurchaseCommand: Hashable, Sendable {
    package let account: AccountID
    /// SHA-256 of what the device asked for, so that a reused id with another wish is noticed.
    package let bodyDigest: [UInt8]
    package let quantity: Int

    package init(account: AccountID, bodyDigest: [UInt8], quantity: Int) {
        self.account = account
        self.bodyDigest = bodyDigest
        self.quantity = quantity
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
    /// The account's first purchase of this product.
    package let firstPurchase: StoreTransaction?

    package init(
        environment: StoreEnvironment, storefront: Storefront, now: Timestamp,
        knownAttempt: KnownAttempt?, product: Product?, firstPurchase: StoreTransaction?
    ) {
        self.environment = environment
        self.storefront = storefront
        self.now = now
        self.knownAttempt = knownAttempt
        self.product = product
        self.firstPurchase = firstPurchase
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
}

package enum PurchaseRules {
    /// The most of a consumable or a non-renewing subscription that one payment may ask for.
    package static let quantityMax = 10

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
        guard let product = facts.product,
            let charge = PriceRules.price(of: product, in: facts.storefront, at: facts.now)
                .times(command.quantity)
        else { return .refuse(.productUnknown) }
        if product.kind == .nonConsumable, let first = facts.firstPurchase {
            let nothing = Money(milliunits: 0, currency: charge.currency)
            return .sell(product, charge: nothing, original: first)
        }
        return .sell(product, charge: charge, original: nil)
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
        if product.kind == .autoRenewable { return .kindNotSold }
        if facts.environment == .production { return .productionClosed }
        return nil
    }
}

extension ProductKind {
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
