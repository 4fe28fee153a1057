public import Foundation
import StoreModel
import StoreWire

extension Product {
    /// A lower price for the beginning of a subscription, or for coming back to one.
    ///
    /// Apple: <https://developer.apple.com/documentation/storekit/product/subscriptionoffer>
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The offer's identifier; nil for an introductory offer.
        public let id: String?
        /// The kind of the offer.
        public let type: OfferType
        /// The price of one payment.
        public let price: Decimal
        /// The price of one payment, as the customer reads it.
        public let displayPrice: String
        /// How long one payment lasts.
        public let period: SubscriptionPeriod
        /// The number of payments: 1, unless it is paid as you go.
        public let periodCount: Int
        /// How the customer pays.
        public let paymentMode: PaymentMode

        /// More periods than any store offers; together they are a length of time still.
        private static let periodCounts = 1...366

        /// Nil when its period cannot be read, or when there are none or too many.
        init?(_ body: OfferBody, _ type: OfferType, _ prices: PriceFormat) {
            guard let span = CalendarSpan(iso8601: body.period),
                Self.periodCounts.contains(body.numberOfPeriods)
            else { return nil }
            let isPaidEachPeriod = body.paymentMode == .payAsYouGo
            id = type == .introductory ? nil : body.offerId
            self.type = type
            price = Decimal(milliunits: body.priceMilliunits)
            displayPrice = prices.text(body.priceMilliunits)
            period = SubscriptionPeriod(
                isPaidEachPeriod ? span : span.times(body.numberOfPeriods))
            periodCount = isPaidEachPeriod ? body.numberOfPeriods : 1
            paymentMode = PaymentMode(body.paymentMode)
        }
    }
}

extension Product.SubscriptionOffer.PaymentMode {
    init(_ mode: StoreModel.SubscriptionOffer.PaymentMode) {
        self =
            switch mode {
            case .freeTrial: .freeTrial
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            }
    }
}

extension Product.SubscriptionOffer {
    /// A developer's signature of a promotional offer, which is made by the developer's server.
    @available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
    @available(
        *, deprecated,
        message: "Sign a JWS and use promotionalOffer(_:compactJWS:), since iOS 26.0."
    )
    public struct Signature: Hashable, Sendable {
        /// The identifier of the key that signed it.
        public var keyID: String
        /// A number used once, which is signed, too.
        public var nonce: UUID
        /// When it was signed: milliseconds since 1970.
        public var timestamp: Int
        /// The bytes of the signature.
        public var signature: Data

        /// A signature.
        public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
        }
    }
}
