extension Currency {
    /// The smallest amount that can be paid in it, in thousandths: a cent is 10. Source: ISO 4217.
    package var smallestMilliunits: Int64 {
        if Self.withoutParts.contains(code) { return 1_000 }
        return Self.inThousandths.contains(code) ? 1 : 10
    }

    private static let withoutParts: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
    ]

    private static let inThousandths: Set<String> = [
        "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND",
    ]
}

extension Money {
    /// Whether its currency can express it: 0.99 USD, but not 0.99 JPY.
    package var isWhole: Bool { milliunits % currency.smallestMilliunits == 0 }

    /// The nearest amount that its currency can express; of two, the even one. Not for negative
    /// amounts.
    package var rounded: Money { nearest(to: 1, of: 1) }

    /// `part` of `whole` of it, rounded once as `rounded` is; never more than all of it. Not for
    /// negative amounts.
    package func share(_ part: Int64, of whole: Int64) -> Money {
        let share = nearest(to: part, of: whole)
        // An amount from before amounts were whole must not grow.
        return share.milliunits < milliunits ? share : self
    }

    private func nearest(to part: Int64, of whole: Int64) -> Money {
        precondition(milliunits >= 0 && part >= 0 && whole > 0, "a share is not below 0")
        let unit = Int128(currency.smallestMilliunits)
        let divisor = Int128(whole) * unit
        let (quotient, rest) = (Int128(milliunits) * Int128(part))
            .quotientAndRemainder(dividingBy: divisor)
        let isUp = rest * 2 > divisor || rest * 2 == divisor && quotient % 2 == 1
        return Money(
            milliunits: Int64(clamping: (quotient + (isUp ? 1 : 0)) * unit), currency: currency)
    }
}
