public import Foundation

extension Product {
    /// Something that a purchase is to have.
    ///
    /// ```swift
    /// @MainActor
    /// func buyTwo(of product: Product, for user: UUID) async throws -> Product.PurchaseResult {
    ///     try await product.purchase(options: [.quantity(2), .appAccountToken(user)])
    /// }
    /// ```
    ///
    /// Apple: <https://developer.apple.com/documentation/storekit/product/purchaseoption>
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct PurchaseOption: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case simulatesAskToBuy(Bool)
            case custom(key: String, CustomValue)
            case onStorefrontChange(StorefrontQuestion)
            case offer(PurchaseTerms.Offer)
            case introductoryEligibility(compactJWS: String)
            case billingPlan(SubscriptionInfo.BillingPlanType)
            case test(TestTerm)
        }

        /// What StoreKitTest adds.
        package enum TestTerm: Hashable, Sendable {
            /// When it was bought, in the past; whether its subscription does not renew since.
            case purchaseDate(Date, cancelsAtOnce: Bool)
            /// A promotional offer without a signature.
            case promotionalOffer(id: String)
            /// An offer of the product's codes without a code.
            case codeOffer(referenceName: String)
        }

        enum CustomValue: Hashable, Sendable {
            case text(String)
            case number(Double)
            case flag(Bool)
            case bytes(Data)
        }

        let kind: Kind

        init(kind: Kind) {
            self.kind = kind
        }

        package init(test term: TestTerm) {
            kind = .test(term)
        }
    }
}

/// A function of the app, which is equal to itself only.
final class StorefrontQuestion: Hashable, Sendable {
    let shouldContinue: @Sendable (Storefront) -> Bool

    init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
        self.shouldContinue = shouldContinue
    }

    static func == (one: StorefrontQuestion, other: StorefrontQuestion) -> Bool { one === other }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseOption {
    /// The app's own name of the buyer; the transaction carries it.
    public static func appAccountToken(_ token: UUID) -> Self {
        Self(kind: .appAccountToken(token))
    }

    /// How many are bought, from 1 to 10; 1 without this.
    public static func quantity(_ quantity: Int) -> Self { Self(kind: .quantity(quantity)) }

    /// Whether the sandbox treats the purchase as a child's, who must ask.
    public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Self {
        Self(kind: .simulatesAskToBuy(simulateAskToBuy))
    }

    /// A text under a name of the app's.
    public static func custom(key: String, value: String) -> Self {
        Self(kind: .custom(key: key, .text(value)))
    }

    /// A number under a name of the app's.
    public static func custom(key: String, value: Double) -> Self {
        Self(kind: .custom(key: key, .number(value)))
    }

    /// True or false under a name of the app's.
    public static func custom(key: String, value: Bool) -> Self {
        Self(kind: .custom(key: key, .flag(value)))
    }

    /// Bytes under a name of the app's.
    public static func custom(key: String, value: Data) -> Self {
        Self(kind: .custom(key: key, .bytes(value)))
    }

    /// Asks the app whether to go on when the account turns out to buy in another country; without
    /// this, it goes on.
    @preconcurrency
    public static func onStorefrontChange(
        shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> Self {
        Self(kind: .onStorefrontChange(StorefrontQuestion(shouldContinuePurchase)))
    }

    /// A promotional offer with the developer's signature.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use promotionalOffer(_:compactJWS:), since iOS 26.0.")
    public static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Self {
        let signature = PurchaseTerms.OfferSignature(
            keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
        return Self(kind: .offer(.signed(id: offerID, signature)))
    }

    /// A promotional offer with the developer's signature.
    @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    @available(*, deprecated, message: "Use promotionalOffer(_:compactJWS:), since iOS 26.0.")
    public static func promotionalOffer(
        offerID: String, signature: Product.SubscriptionOffer.Signature
    ) -> Self {
        promotionalOffer(
            offerID: offerID, keyID: signature.keyID, nonce: signature.nonce,
            signature: signature.signature, timestamp: signature.timestamp)
    }

    /// A promotional offer with the developer's JWS.
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Self] {
        [Self(kind: .offer(.promotional(id: offerID, compactJWS: compactJWS)))]
    }

    /// A win-back offer of the product.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Self {
        Self(kind: .offer(.winBack(id: offer.id ?? "")))
    }

    /// The developer's own decision on whether the customer may have the introductory offer, in a
    /// JWS of the developer.
    public static func introductoryOfferEligibility(compactJWS: String) -> Self {
        Self(kind: .introductoryEligibility(compactJWS: compactJWS))
    }

    /// How the subscription is charged; once for each period without this.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public static func billingPlanType(
        _ billingPlanType: Product.SubscriptionInfo.BillingPlanType
    ) -> Self {
        Self(kind: .billingPlan(billingPlanType))
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// What it is, without signatures and the app's values.
    public var debugDescription: String {
        switch kind {
        case .appAccountToken(let token): "appAccountToken: \(token)"
        case .quantity(let quantity): "quantity: \(quantity)"
        case .simulatesAskToBuy(let simulates): "simulatesAskToBuyInSandbox: \(simulates)"
        case .custom(let key, _): "custom: \(key)"
        case .onStorefrontChange: "onStorefrontChange"
        case .offer(.signed(let id, _)), .offer(.promotional(let id, _)): "promotionalOffer: \(id)"
        case .offer(.winBack(let id)): "winBackOffer: \(id)"
        case .introductoryEligibility: "introductoryOfferEligibility"
        case .billingPlan(let plan): "billingPlanType: \(plan.rawValue)"
        case .test(.purchaseDate(let date, _)): "purchaseDate: \(date)"
        case .test(.promotionalOffer(let id)): "promotionalOffer: \(id)"
        case .test(.codeOffer(let name)): "codeOffer: \(name)"
        }
    }
}
