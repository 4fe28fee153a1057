import StoreModel

/// The ends of periods.
enum BillingCalendar {
    /// The end of a period, and the anchor that the next one counts from.
    ///
    /// Months are counted from the anchor as long as each period begins where the previous one
    /// ended; days, and shortened time, from each period's own beginning.
    static func period(
        of span: CalendarSpan, from start: Timestamp, anchor: Subscription.Anchor?,
        pace: RenewalPace
    ) -> (end: Timestamp, anchor: Subscription.Anchor) {
        guard case .calendar(.months(let months)) = pace.length(of: span) else {
            let end = start.adding(pace.length(of: span))
            return (end, Subscription.Anchor(at: end, months: 0))
        }
        let isUnbroken = anchor.map { $0.at.adding(.months($0.months)) == start } ?? false
        let before = isUnbroken ? anchor : nil
        let next = Subscription.Anchor(
            at: before?.at ?? start, months: (before?.months ?? 0) + months)
        return (next.at.adding(.months(next.months)), next)
    }
}
