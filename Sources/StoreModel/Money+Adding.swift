extension Money {
    package static func nothing(in currency: Currency) -> Money {
        Money(milliunits: 0, currency: currency)
    }

    /// Both together; nil for two currencies, and when it leaves 64 bits.
    package func adding(_ other: Money) -> Money? {
        let (sum, overflow) = milliunits.addingReportingOverflow(other.milliunits)
        guard !overflow, currency == other.currency else { return nil }
        return Money(milliunits: sum, currency: currency)
    }

    /// As much the other way; nil when it leaves 64 bits.
    package var reversed: Money? {
        milliunits == .min ? nil : Money(milliunits: -milliunits, currency: currency)
    }

    /// What is left without some of it; nil as with `adding`.
    package func subtracting(_ other: Money) -> Money? { other.reversed.flatMap(adding) }
}
