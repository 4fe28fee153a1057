import StoreModel
import StoreWire

extension Product {
    /// What belongs to an auto-renewable subscription.
    ///
    /// ```swift
    /// func trialText(for product: Product) async -> String? {
    ///     guard let subscription = product.subscription,
    ///         let offer = subscription.introductoryOffer, offer.paymentMode == .freeTrial,
    ///         await subscription.isEligibleForIntroOffer
    ///     else { return nil }
    ///     return "Free for \(offer.period.value) \(offer.period.unit)"
    /// }
    /// ```
    ///
    /// Apple: <https://developer.apple.com/documentation/storekit/product/subscriptioninfo>
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct SubscriptionInfo: Hashable, Sendable {
        /// The length of time that one charge pays for.
        @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
        public typealias BillingPeriod = SubscriptionPeriod

        /// The offer for new subscribers; nil when there is none.
        public let introductoryOffer: SubscriptionOffer?
        /// The offers for current and former subscribers, which the developer signs.
        public let promotionalOffers: [SubscriptionOffer]
        /// The offers for former subscribers.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let winBackOffers: [SubscriptionOffer]
        /// The group that it belongs to.
        public let subscriptionGroupID: String
        /// The length of one period.
        public let subscriptionPeriod: SubscriptionPeriod
        /// The ways to pay for it: here one, up front.
        @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
        public let pricingTerms: [PricingTerms]

        let level: Int
        let groupName: String

        /// Its level in the group, from 1: the lower the number, the higher the level.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
        public var groupLevel: Int { level }

        /// The name of the group in the customer's language.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
        public var groupDisplayName: String { groupName }

        /// Nil for other products.
        init?(_ body: ProductBody, _ prices: PriceFormat) {
            guard body.kind == .autoRenewable, let period = body.subscriptionPeriod else {
                return nil
            }
            introductoryOffer = body.introductoryOffer
                .flatMap { SubscriptionOffer($0, .introductory, prices) }
            promotionalOffers = (body.promotionalOffers ?? [])
                .compactMap { SubscriptionOffer($0, .promotional, prices) }
            winBackOffers = (body.winBackOffers ?? [])
                .compactMap { SubscriptionOffer($0, .winBack, prices) }
            subscriptionGroupID = body.subscriptionGroupIdentifier ?? ""
            subscriptionPeriod = SubscriptionPeriod(period.span)
            level = body.subscriptionGroupLevel ?? 1
            groupName = body.subscriptionGroupDisplayName ?? ""
            pricingTerms = [
                PricingTerms(
                    upFront: body, prices, subscriptionPeriod,
                    offers: [introductoryOffer].compactMap(\.self) + promotionalOffers
                        + winBackOffers)
            ]
        }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {
    /// Whether the customer may have the introductory offer: never had one in the group.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }

    /// Whether the customer may have an introductory offer of a group: never had one in it.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        await StoreContext.current.signedPurchases.isEligibleForIntroOffer(group: groupID)
    }

    /// The statuses of the customer's subscriptions in the group: several when family members share
    /// theirs, none when the customer never subscribed.
    ///
    /// - Throws: `StoreKitError`.
    public var status: [Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// The statuses of the customer's subscriptions in a group.
    ///
    /// - Throws: `StoreKitError`.
    public static func status(for groupID: String) async throws -> [Status] {
        try await StoreContext.current.signedPurchases.statuses(group: groupID)
    }

    /// The status of the subscription that a transaction belongs to; nil when there is none.
    ///
    /// - Throws: `StoreKitError`.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
        try await StoreContext.current.signedPurchases.status(transactionID: transactionID)
    }
}

/// What belongs to an auto-renewable subscription.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// A length of time by the calendar.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// What a subscription's next renewal will be.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The state of a subscription.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// A customer's subscription in a group.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
