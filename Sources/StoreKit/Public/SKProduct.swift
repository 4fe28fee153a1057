public import Foundation
public import CStoreKit

/// What the store says of a product that may be sold.
///
/// ```swift
/// func priceTag(of product: SKProduct) -> String {
///     let formatter = NumberFormatter()
///     formatter.numberStyle = .currency
///     formatter.locale = product.priceLocale
///     return "\(product.localizedTitle): \(formatter.string(from: product.price) ?? "")"
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproduct>
open class SKProduct: NSObject, @unchecked Sendable {
    /// The unit of a subscription's period.
    public typealias PeriodUnit = SKProductPeriodUnit

    private let details: ProductDetails

    /// An empty product, for tests that override what they need.
    public override init() {
        details = ProductDetails()
    }

    init(details: ProductDetails) {
        self.details = details
    }

    /// The identifier it was registered under.
    open var productIdentifier: String { details.productIdentifier }

    /// Its name in the person's language.
    open var localizedTitle: String { details.localizedTitle }

    /// What it is, in the person's language.
    open var localizedDescription: String { details.localizedDescription }

    /// The price of one, in the currency of `priceLocale`.
    open var price: NSDecimalNumber { details.price }

    /// The locale to write the price with.
    open var priceLocale: Locale { details.priceLocale }

    /// Whether a family may use it together.
    open var isFamilyShareable: Bool { details.isFamilyShareable }

    /// Whether the store keeps content for it, which a purchase brings.
    open var isDownloadable: Bool { !details.downloadContentVersion.isEmpty }

    /// The sizes of the content that the store keeps for it, in bytes.
    open var downloadContentLengths: [NSNumber] {
        details.downloadContentLengths.map { NSNumber(value: $0) }
    }

    /// The version of the content that the store keeps for it; empty when there is none.
    open var contentVersion: String { details.downloadContentVersion }

    /// The version of the content that the store keeps for it; empty when there is none.
    open var downloadContentVersion: String { details.downloadContentVersion }

    /// How long one period of a subscription lasts; nil when it is no subscription.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { details.subscriptionPeriod }

    /// What a new subscriber pays at first; nil when nothing else.
    open var introductoryPrice: SKProductDiscount? { details.introductoryPrice }

    /// The group a subscription belongs to.
    open var subscriptionGroupIdentifier: String? { details.subscriptionGroupIdentifier }

    /// The promotional offers of a subscription.
    open var discounts: [SKProductDiscount] { details.discounts }
}
