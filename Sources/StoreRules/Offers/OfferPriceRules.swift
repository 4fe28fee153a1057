package import StoreModel

/// Whether an offer is actually a lower price.
package enum OfferPriceRules {
    /// The days that a month counts as when months and days are compared.
    private static let monthDays: Int64 = 30

    /// Whether an offer costs less than its periods would without it, at a price for each `period`
    /// in the same currency. A free trial always does.
    package static func isLower(
        _ offer: SubscriptionOffer, than price: Money, each period: RenewalPeriod
    ) -> Bool {
        switch offer.mode {
        case .freeTrial: true
        case .payAsYouGo: offer.price.milliunits < price.milliunits
        case .payUpFront:
            // The longest offer is twelve times a year, and prices end at 10^9: this fits into 64
            // bits.
            offer.price.milliunits * length(of: period.span, besides: offer.span)
                < price.milliunits * length(of: offer.span, besides: period.span)
                * Int64(offer.periodCount)
        }
    }

    /// In months if the other span is also in months, otherwise in days.
    private static func length(of span: CalendarSpan, besides other: CalendarSpan) -> Int64 {
        switch (span, other) {
        case (.days(let days), _): Int64(days)
        case (.months(let months), .months): Int64(months)
        case (.months(let months), .days): Int64(months) * monthDays
        }
    }
}
