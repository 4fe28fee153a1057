import Foundation
import StoreModel
import StoreWire

/// The facts behind an `SKProduct`.
struct ProductDetails {
    var productIdentifier = ""
    var localizedTitle = ""
    var localizedDescription = ""
    var price = NSDecimalNumber.zero
    var priceLocale = Locale(identifier: "en_US")
    var isFamilyShareable = false
    var subscriptionGroupIdentifier: String?
    /// Nil when it is not a subscription.
    var subscriptionPeriod: SKProductSubscriptionPeriod?
    var introductoryPrice: SKProductDiscount?
    var discounts: [SKProductDiscount] = []
    /// Empty when the store keeps no content for it.
    var downloadContentVersion = ""
    /// The size of each package in bytes.
    var downloadContentLengths: [Int64] = []
}

extension ProductDetails {
    init(_ body: ProductBody) {
        productIdentifier = body.productId
        localizedTitle = body.localizedTitle
        localizedDescription = body.localizedDescription
        price = Self.price(milliunits: body.priceMilliunits)
        priceLocale = Locale(identifier: body.priceLocale)
        isFamilyShareable = body.isFamilyShareable
        subscriptionGroupIdentifier = body.subscriptionGroupIdentifier
        subscriptionPeriod = body.subscriptionPeriod.map { SKProductSubscriptionPeriod($0.span) }
        let locale = priceLocale
        introductoryPrice = body.introductoryOffer.flatMap {
            SKProductDiscount($0, priceLocale: locale, type: .introductory)
        }
        discounts = (body.promotionalOffers ?? []).compactMap {
            SKProductDiscount($0, priceLocale: locale, type: .subscription)
        }
        downloadContentVersion = body.downloadContentVersion ?? ""
        downloadContentLengths = body.downloadContentLengths ?? []
    }

    /// A price in exact thousandths; nothing passes through a binary fraction.
    static func price(milliunits: Int64) -> NSDecimalNumber {
        NSDecimalNumber(
            mantissa: milliunits.magnitude, exponent: -3, isNegative: milliunits < 0)
    }
}
