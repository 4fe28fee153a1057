import StoreKit

/// A product as a plain value, for views.
public struct StoreItem: Hashable, Sendable, Identifiable {
    public enum Unit: String, Sendable {
        case day, week, month, year
    }

    public struct Period: Hashable, Sendable {
        public let value: Int
        public let unit: Unit

        init?(_ period: SKProductSubscriptionPeriod) {
            switch period.unit {
            case .day: unit = .day
            case .week: unit = .week
            case .month: unit = .month
            case .year: unit = .year
            @unknown default: return nil
            }
            value = period.numberOfUnits
        }
    }

    public struct Offer: Hashable, Sendable {
        public enum Mode: Sendable {
            case payAsYouGo, payUpFront, freeTrial
        }

        public let identifier: String?
        public let price: Decimal
        public let mode: Mode
        public let isIntroductory: Bool
        public let period: Period
        public let count: Int

        init?(_ discount: SKProductDiscount) {
            guard let period = Period(discount.subscriptionPeriod) else { return nil }
            switch discount.paymentMode {
            case .payAsYouGo: mode = .payAsYouGo
            case .payUpFront: mode = .payUpFront
            case .freeTrial: mode = .freeTrial
            @unknown default: return nil
            }
            self.period = period
            identifier = discount.identifier
            price = discount.price as Decimal
            isIntroductory = discount.type == .introductory
            count = discount.numberOfPeriods
        }
    }

    public let id: String
    public let title: String
    public let price: Decimal
    public let currencyCode: String?
    public let displayPrice: String
    public let period: Period?
    public let introductoryOffer: Offer?
    public let offers: [Offer]
    public let group: String?
    public let isFamilyShareable: Bool

    public init(_ product: SKProduct) {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        id = product.productIdentifier
        title = product.localizedTitle
        price = product.price as Decimal
        currencyCode = product.priceLocale.currency?.identifier
        displayPrice = formatter.string(from: product.price) ?? "\(product.price)"
        period = product.subscriptionPeriod.flatMap(Period.init)
        introductoryOffer = product.introductoryPrice.flatMap(Offer.init)
        offers = product.discounts.compactMap(Offer.init)
        group = product.subscriptionGroupIdentifier
        isFamilyShareable = product.isFamilyShareable
    }
}
