import Foundation

/// What a purchase is to have, read from its options.
struct PurchaseTerms: Sendable {
    /// A price below the product's.
    enum Offer: Hashable, Sendable {
        /// A promotional offer with the developer's signature of its parts.
        case signed(id: String, OfferSignature)
        /// A promotional offer with the developer's JWS.
        case promotional(id: String, compactJWS: String)
        case winBack(id: String)
    }

    /// The same as the public one, which is deprecated.
    struct OfferSignature: Hashable, Sendable {
        let keyID: String
        let nonce: UUID
        /// Milliseconds since 1970.
        let timestamp: Int
        let signature: Data
    }

    /// What may be bought at once.
    static let quantities = 1...10

    private(set) var quantity = 1
    private(set) var appAccountToken: UUID?
    private(set) var simulatesAskToBuy = false
    private(set) var offer: Offer?
    private(set) var introductoryEligibilityJWS: String?
    /// What only a test may ask for.
    private(set) var test: PaymentTest?
    /// The app's own values by name.
    private(set) var custom: [String: Product.PurchaseOption.CustomValue] = [:]
    /// Whether to go on in another storefront; nil for always.
    private(set) var shouldContinue: (@Sendable (Storefront) -> Bool)?

    /// Reads options, which have no order: two that contradict each other are refused.
    init(_ options: Set<Product.PurchaseOption>) throws(Product.PurchaseError) {
        let kinds = options.map(\.kind)
        // Repeated quantities and offers have errors of their own.
        quantity = try Self.one(kinds.compactMap(\.quantity), else: .invalidQuantity) ?? 1
        guard Self.quantities.contains(quantity) else { throw .invalidQuantity }
        offer = try Self.one(kinds.compactMap(\.offer), else: .invalidOfferIdentifier)
        if offer?.lacksSomething == true { throw .missingOfferParameters }
        introductoryEligibilityJWS = try Self.one(
            kinds.compactMap(\.introductoryEligibility), else: .invalidOfferIdentifier)
        if introductoryEligibilityJWS == "" { throw .missingOfferParameters }
        test = try PaymentTest(kinds.compactMap(\.test))
        guard offer == nil || test?.offerCount ?? 0 == 0 else { throw .invalidOfferIdentifier }
        appAccountToken = try Self.one(kinds.compactMap(\.appAccountToken))
        simulatesAskToBuy = try Self.one(kinds.compactMap(\.simulatesAskToBuy)) ?? false
        let billingPlan = try Self.one(kinds.compactMap(\.billingPlan))
        // No product has another plan, as its terms say; paying it all at once would be a surprise.
        guard billingPlan ?? .upFront == .upFront else { throw .productUnavailable }
        shouldContinue = try Self.one(kinds.compactMap(\.question))?.shouldContinue
        for case .custom(let key, let value) in kinds {
            guard custom.updateValue(value, forKey: key) == nil else { throw .purchaseNotAllowed }
        }
    }

    /// The only value, or nil when there is none.
    private static func one<Value>(
        _ values: [Value], else error: Product.PurchaseError = .purchaseNotAllowed
    ) throws(Product.PurchaseError) -> Value? {
        guard values.count <= 1 else { throw error }
        return values.first
    }
}

extension PaymentTest {
    /// Nil without terms.
    fileprivate init?(
        _ terms: [Product.PurchaseOption.TestTerm]
    ) throws(Product.PurchaseError) {
        guard !terms.isEmpty else { return nil }
        self.init()
        for term in terms {
            switch term {
            case .purchaseDate(let date, let cancelsAtOnce):
                let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
                guard purchasedAtMilliseconds == nil, let moment = Int64(exactly: milliseconds)
                else { throw .purchaseNotAllowed }
                purchasedAtMilliseconds = moment
                self.cancelsAtOnce = cancelsAtOnce ? true : nil
            case .promotionalOffer(let id):
                guard offerCount == 0 else { throw .invalidOfferIdentifier }
                promotionalOfferId = id
            case .codeOffer(let referenceName):
                guard offerCount == 0 else { throw .invalidOfferIdentifier }
                codeOfferReferenceName = referenceName
            }
        }
        guard promotionalOfferId != "", codeOfferReferenceName != "" else {
            throw .missingOfferParameters
        }
    }

    fileprivate var offerCount: Int {
        (promotionalOfferId == nil ? 0 : 1) + (codeOfferReferenceName == nil ? 0 : 1)
    }
}

extension PurchaseTerms.Offer {
    /// Whether a part is empty that the store needs.
    fileprivate var lacksSomething: Bool {
        switch self {
        case .signed(let id, let signature):
            id.isEmpty || signature.keyID.isEmpty || signature.signature.isEmpty
        case .promotional(let id, let jws): id.isEmpty || jws.isEmpty
        case .winBack(let id): id.isEmpty
        }
    }
}

extension Product.PurchaseOption.Kind {
    fileprivate var appAccountToken: UUID? {
        if case .appAccountToken(let token) = self { token } else { nil }
    }

    fileprivate var quantity: Int? {
        if case .quantity(let quantity) = self { quantity } else { nil }
    }

    fileprivate var simulatesAskToBuy: Bool? {
        if case .simulatesAskToBuy(let simulates) = self { simulates } else { nil }
    }

    fileprivate var question: StorefrontQuestion? {
        if case .onStorefrontChange(let question) = self { question } else { nil }
    }

    fileprivate var offer: PurchaseTerms.Offer? {
        if case .offer(let offer) = self { offer } else { nil }
    }

    fileprivate var introductoryEligibility: String? {
        if case .introductoryEligibility(let jws) = self { jws } else { nil }
    }

    fileprivate var test: Product.PurchaseOption.TestTerm? {
        if case .test(let term) = self { term } else { nil }
    }

    fileprivate var billingPlan: Product.SubscriptionInfo.BillingPlanType? {
        if case .billingPlan(let plan) = self { plan } else { nil }
    }
}
