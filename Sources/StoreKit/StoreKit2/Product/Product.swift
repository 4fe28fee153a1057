public import Foundation
import StoreModel
import StoreWire

/// Something that the store sells for the app.
///
/// ```swift
/// func priceTags() async throws -> [String] {
///     try await Product.products(for: ["com.example.turbo"])
///         .map { "\($0.displayName): \($0.displayPrice)" }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/product>
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Product: Identifiable, Sendable {
    let body: ProductBody

    /// The identifier it was registered under.
    public let id: String
    /// The kind of product.
    public let type: ProductType
    /// Its name in the customer's language.
    public let displayName: String
    /// Its description in the customer's language.
    public let description: String
    /// The price of one, in the currency of the customer's storefront.
    public let price: Decimal
    /// The price of one, as the customer reads it: `$0.99`.
    public let displayPrice: String
    /// Whether family members can share it.
    public let isFamilyShareable: Bool
    /// What belongs to an auto-renewable subscription; nil for other products.
    public let subscription: SubscriptionInfo?

    init(_ body: ProductBody) {
        self.body = body
        let prices = PriceFormat(body)
        id = body.productId
        type = ProductType(body.kind)
        displayName = body.localizedTitle
        description = body.localizedDescription
        price = Decimal(milliunits: body.priceMilliunits)
        displayPrice = prices.text(body.priceMilliunits)
        isFamilyShareable = body.isFamilyShareable
        subscription = SubscriptionInfo(body, prices)
    }

    /// What the store sent of it: JSON.
    public var jsonRepresentation: Data { Data(body.appleJSON.compactBytes) }

    /// How the store writes prices in this product's currency, for prices that the app computes.
    public var priceFormatStyle: Decimal.FormatStyle.Currency { PriceFormat(body).style }

    /// How the store writes the unit of a subscription's period.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle().locale(priceFormatStyle.locale)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product: Hashable {
    /// Whether the store sent the same of both.
    public static func == (lhs: Product, rhs: Product) -> Bool { lhs.body == rhs.body }

    /// Hashes its identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product: CustomDebugStringConvertible {
    /// What the store sent of it: JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Product.ProductType {
    init(_ kind: ProductKind) {
        self =
            switch kind {
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            case .autoRenewable: .autoRenewable
            case .nonRenewing: .nonRenewable
            }
    }
}

/// How a product's prices are written.
struct PriceFormat {
    let style: Decimal.FormatStyle.Currency

    init(_ body: ProductBody) {
        style = Decimal.FormatStyle.Currency(
            code: body.currency, locale: Locale(identifier: body.priceLocale))
    }

    func text(_ milliunits: Int64) -> String {
        style.format(Decimal(milliunits: milliunits))
    }
}
