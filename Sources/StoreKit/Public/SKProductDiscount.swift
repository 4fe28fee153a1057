public import CStoreKit
public import Foundation

/// A lower price for the first periods of a subscription.
///
/// ```swift
/// func isFreeAtFirst(_ product: SKProduct) -> Bool {
///     product.introductoryPrice?.paymentMode == .freeTrial
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproductdiscount>
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// How a discounted period is paid for.
    public typealias PaymentMode = SKProductDiscountPaymentMode
    /// What a discount is for.
    public typealias `Type` = SKProductDiscountType

    private let storedPrice: NSDecimalNumber
    private let storedPriceLocale: Locale
    private let storedIdentifier: String?
    private let storedPeriod: SKProductSubscriptionPeriod
    private let storedNumberOfPeriods: Int
    private let storedPaymentMode: PaymentMode
    private let storedType: SKProductDiscountType

    /// An empty discount, for tests that override what they need.
    public override init() {
        storedPrice = 0
        storedPriceLocale = Locale(identifier: "en_US_POSIX")
        storedIdentifier = nil
        storedPeriod = SKProductSubscriptionPeriod()
        storedNumberOfPeriods = 0
        storedPaymentMode = .payAsYouGo
        storedType = .introductory
    }

    init(
        price: NSDecimalNumber, priceLocale: Locale, identifier: String?,
        subscriptionPeriod: SKProductSubscriptionPeriod, numberOfPeriods: Int,
        paymentMode: PaymentMode, type: SKProductDiscountType
    ) {
        storedPrice = price
        storedPriceLocale = priceLocale
        storedIdentifier = identifier
        storedPeriod = subscriptionPeriod
        storedNumberOfPeriods = numberOfPeriods
        storedPaymentMode = paymentMode
        storedType = type
    }

    /// The price of one discounted period.
    open var price: NSDecimalNumber { storedPrice }

    /// The locale for formatting the price.
    open var priceLocale: Locale { storedPriceLocale }

    /// The offer's identifier; nil for an introductory one.
    open var identifier: String? { storedIdentifier }

    /// The length of one discounted period.
    open var subscriptionPeriod: SKProductSubscriptionPeriod { storedPeriod }

    /// How many periods are discounted.
    open var numberOfPeriods: Int { storedNumberOfPeriods }

    /// How they are paid for.
    open var paymentMode: PaymentMode { storedPaymentMode }

    /// What the discount is for.
    open var type: SKProductDiscountType { storedType }
}
