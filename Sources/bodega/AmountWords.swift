import Foundation
import StoreModel

/// Amounts of money as they are typed and printed.
enum AmountWords {
    /// An amount above 0, as it was typed.
    static func checked(_ text: String) throws -> String {
        guard let amount = Price(decimal: text), amount > .free else {
            throw UsageError(
                "AMOUNT \(text) is not an amount: write it like 4.99, above 0, with at most three "
                    + "places")
        }
        return text
    }

    /// A currency by its three letters; `place` names the argument.
    static func currency(_ text: String, for place: String) throws -> Currency {
        guard let currency = Currency(code: text) else {
            throw UsageError("\(place) \(text) is not a currency: write three letters, such as USD")
        }
        return currency
    }

    /// `4.99 USD`, `-10 EUR`.
    static func text(_ milliunits: Int64, _ currency: String) -> String {
        "\(Decimal(milliunits) / 1_000) \(currency)"
    }
}

extension Arguments {
    /// `--currency`
    func currency() throws -> Currency? {
        try value("currency").map { try AmountWords.currency($0, for: "--currency") }
    }
}
