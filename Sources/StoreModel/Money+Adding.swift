extension Money {
    package static func nothing(in currency: Currency) -> Money {
        Money(milliunits: 0, currency: currency)
    }

    /// The sum; nil for two currencies, and when it exceeds 64 bits.
    package func adding(_ other: Money) -> Money? {
        let (sum, overflow) = milliunits.addingReportingOverflow(other.milliunits)
        guard !overflow, currency == other.currency else { return nil }
        return Money(milliunits: sum, currency: currency)
    }

    /// The same amount with the opposite sign; nil when it exceeds 64 bits.
    package var reversed: Money? {
        milliunits == .min ? nil : Money(milliunits: -milliunits, currency: currency)
    }

    /// The difference; nil as with `adding`.
    package func subtracting(_ other: Money) -> Money? { other.reversed.flatMap(adding) }
}
