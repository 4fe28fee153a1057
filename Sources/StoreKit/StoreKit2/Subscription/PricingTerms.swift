public import Foundation
import StoreWire

@available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
extension Product.SubscriptionInfo {
    /// One way to pay for a subscription.
    public struct PricingTerms: Hashable, Sendable {
        /// How it is charged.
        public let billingPlanType: BillingPlanType
        /// What one charge costs.
        public let billingPrice: Decimal
        /// What one charge costs, as the customer reads it.
        public let billingDisplayPrice: String
        /// How long one charge lasts.
        public let billingPeriod: BillingPeriod
        /// What the customer agrees to pay in all.
        public let commitmentInfo: CommitmentInfo
        /// The offers that can be had with it.
        public let subscriptionOffers: [Product.SubscriptionOffer]

        /// Paid once for each period.
        init(
            upFront body: ProductBody, _ prices: PriceFormat, _ period: BillingPeriod,
            offers: [Product.SubscriptionOffer]
        ) {
            billingPlanType = .upFront
            billingPrice = Decimal(milliunits: body.priceMilliunits)
            billingDisplayPrice = prices.text(body.priceMilliunits)
            billingPeriod = period
            commitmentInfo = CommitmentInfo(
                price: billingPrice, displayPrice: billingDisplayPrice, period: period)
            subscriptionOffers = offers
        }

        /// The offers of one kind.
        public subscript(
            offers type: Product.SubscriptionOffer.OfferType
        ) -> [Product.SubscriptionOffer] {
            subscriptionOffers.filter { $0.type == type }
        }
    }

    /// What a customer agrees to pay in all.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The price of all of it.
        public let price: Decimal
        /// The price of all of it, as the customer reads it.
        public let displayPrice: String
        /// How long it lasts.
        public let period: Product.SubscriptionPeriod

        init(price: Decimal, displayPrice: String, period: Product.SubscriptionPeriod) {
            self.price = price
            self.displayPrice = displayPrice
            self.period = period
        }
    }
}
