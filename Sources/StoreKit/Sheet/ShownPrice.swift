import Foundation

/// The price that a sheet showed for the whole quantity: the store charges this or refuses.
struct ShownPrice: Codable, Hashable, Sendable {
    /// Thousandths of the currency unit.
    let milliunits: Int64
    /// Three letters of ISO 4217.
    let currency: String

    init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }

    /// Nil when the price has no currency, or the total exceeds 64 bits.
    init?(_ product: SKProduct, quantity: Int) {
        guard let currency = product.priceLocale.currency?.identifier,
            let one = Self.milliunits(product.price)
        else { return nil }
        let (total, overflow) = one.multipliedReportingOverflow(by: Int64(quantity))
        guard !overflow else { return nil }
        self.init(milliunits: total, currency: currency)
    }

    /// The price of one payment of an offer.
    init?(_ discount: SKProductDiscount) {
        guard let currency = discount.priceLocale.currency?.identifier,
            let one = Self.milliunits(discount.price)
        else { return nil }
        self.init(milliunits: one, currency: currency)
    }

    /// Nil when it is not a whole number of thousandths.
    private static func milliunits(_ price: NSDecimalNumber) -> Int64? {
        let thousandths = price.multiplying(byPowerOf10: 3)
        let whole = thousandths.int64Value
        return NSDecimalNumber(value: whole) == thousandths ? whole : nil
    }
}
