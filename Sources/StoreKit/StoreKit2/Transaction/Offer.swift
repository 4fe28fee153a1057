extension Transaction {
    /// The offer that a transaction was bought with.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    public struct Offer: Hashable, Sendable {
        /// The offer's identifier; nil for an introductory offer.
        public let id: String?
        /// The kind of the offer.
        public let type: OfferType
        /// How the customer paid for it.
        public let paymentMode: PaymentMode?
        /// How long one payment of it lasts.
        @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
        public let period: Product.SubscriptionPeriod?

        /// How a customer paid for an offer.
        @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The value as Apple writes it, also one that this module does not know.
            public let rawValue: String

            /// A value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Nothing.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// Its price in each of its periods.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// Its price once, for all of its time.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// Its price once, for a product that is not a subscription.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
        }

        /// The offer of a transaction or of the next renewal; nil when there is none.
        init?(_ payload: PayloadMembers) {
            guard let type = payload.integer("offerType") else { return nil }
            id = payload.text("offerIdentifier")
            self.type = OfferType(rawValue: type)
            paymentMode = payload.text("offerDiscountType").map { PaymentMode(rawValue: $0) }
            period = payload.period("offerPeriod")
        }
    }
}
