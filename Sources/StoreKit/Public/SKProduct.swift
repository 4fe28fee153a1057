public import Foundation
public import CStoreKit

/// The store's description of a product that may be sold.
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

    /// Its name in the customer's language.
    open var localizedTitle: String { details.localizedTitle }

    /// Its description in the customer's language.
    open var localizedDescription: String { details.localizedDescription }

    /// The price of one unit, in the currency of `priceLocale`.
    open var price: NSDecimalNumber { details.price }

    /// The locale for formatting the price.
    open var priceLocale: Locale { details.priceLocale }

    /// Whether family members can share it.
    open var isFamilyShareable: Bool { details.isFamilyShareable }

    /// Whether a purchase brings content that the store keeps for it.
    open var isDownloadable: Bool { !details.downloadContentVersion.isEmpty }

    /// The sizes of the content that the store keeps for it, in bytes.
    open var downloadContentLengths: [NSNumber] {
        details.downloadContentLengths.map { NSNumber(value: $0) }
    }

    /// The version of the content that the store keeps for it; empty when there is none.
    open var contentVersion: String { details.downloadContentVersion }

    /// The version of the content that the store keeps for it; empty when there is none.
    open var downloadContentVersion: String { details.downloadContentVersion }

    /// The length of one subscription period; nil when it is not a subscription.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { details.subscriptionPeriod }

    /// What a new subscriber pays at first; nil when there is no introductory offer.
    open var introductoryPrice: SKProductDiscount? { details.introductoryPrice }

    /// The group a subscription belongs to.
    open var subscriptionGroupIdentifier: String? { details.subscriptionGroupIdentifier }

    /// The promotional offers of a subscription.
    open var discounts: [SKProductDiscount] { details.discounts }
}
