/// A currency by its ISO 4217 code.
package struct Currency: Hashable, Sendable, Codable {
    package let code: String

    /// Nil unless the code is three capital letters.
    package init?(code: String) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            return nil
        }
        self.code = code
    }

    init(known code: String) {
        self.code = code
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let currency = Currency(code: text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is not a currency code"))
        }
        self = currency
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

/// An amount in thousandths of a currency's unit, as Apple's `price` is.
package struct Money: Hashable, Sendable, Codable {
    package let milliunits: Int64
    package let currency: Currency

    package init(milliunits: Int64, currency: Currency) {
        self.milliunits = milliunits
        self.currency = currency
    }

    /// This amount multiplied; nil when it exceeds 64 bits.
    package func times(_ count: Int) -> Money? {
        let (product, overflow) = milliunits.multipliedReportingOverflow(by: Int64(count))
        return overflow ? nil : Money(milliunits: product, currency: currency)
    }
}

/// A price without a currency, as catalogue files write it: a decimal with at most three places.
package struct Price: Hashable, Comparable, Sendable {
    /// The highest price a product may have: a million units.
    package static let milliunitsMax: Int64 = 1_000_000_000

    package static let free = Price(unchecked: 0)

    package let milliunits: Int64

    /// Nil for a negative price or one above the limit.
    package init?(milliunits: Int64) {
        guard (0...Self.milliunitsMax).contains(milliunits) else { return nil }
        self.milliunits = milliunits
    }

    private init(unchecked milliunits: Int64) {
        self.milliunits = milliunits
    }

    /// The price written as `0.99`, `0.0` or `199`; nil for anything else, four places included.
    package init?(decimal text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 7,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let units = Int64(whole)
        else { return nil }
        var thousandths: Int64 = 0
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), let fraction = Int64(parts[1]) else {
                return nil
            }
            thousandths = fraction * [100, 10, 1][parts[1].utf8.count - 1]
        }
        self.init(milliunits: units * 1_000 + thousandths)
    }

    /// The shortest way to write it: `0.99`, `5`, `1.5`.
    package var decimal: String {
        let fraction = milliunits % 1_000
        guard fraction != 0 else { return "\(milliunits / 1_000)" }
        var digits = "\(fraction + 1_000)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(milliunits / 1_000).\(digits)"
    }

    /// What it costs in a currency: rounded to what the currency can express. Only a free product
    /// is free: a price above 0 is at least the smallest amount.
    package func `in`(_ currency: Currency) -> Money {
        let rounded = unrounded(in: currency).rounded
        let least = milliunits > 0 ? currency.smallestMilliunits : 0
        return Money(milliunits: max(rounded.milliunits, least), currency: currency)
    }

    /// The same number in a currency, even if the currency cannot express it.
    package func unrounded(in currency: Currency) -> Money {
        Money(milliunits: milliunits, currency: currency)
    }

    package static func < (left: Price, right: Price) -> Bool {
        left.milliunits < right.milliunits
    }
}

/// A storefront's own price from a moment on.
package struct DatedPrice: Hashable, Sendable {
    /// The country code of the storefront.
    package let storefront: String
    /// Nil ends the storefront's own price: the base price applies again.
    package let price: Price?
    /// By the world's clock; without one it applies until a dated one begins.
    package let from: Timestamp?

    package init(storefront: String, price: Price?, from: Timestamp?) {
        self.storefront = storefront
        self.price = price
        self.from = from
    }
}
