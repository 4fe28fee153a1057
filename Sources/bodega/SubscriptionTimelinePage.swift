import StoreModel
import StoreWire

/// A subscription's past and what comes next, as printed.
enum SubscriptionTimelinePage {
    /// All pages in one, of which the first has what comes next and how the subscription is.
    static func whole(_ pages: [SubscriptionTimelineBody]) throws -> SubscriptionTimelineBody {
        guard let newest = pages.first else { throw Failure("the store answered no page") }
        return SubscriptionTimelineBody(
            subscription: newest.subscription, periods: pages.reversed().flatMap(\.periods),
            events: pages.reversed().flatMap(\.events), older: nil, next: newest.next)
    }

    /// A line for the subscription, and a line for each period, event and step, by time.
    static func text(_ body: SubscriptionTimelineBody) -> String {
        let past =
            body.periods.map { (at: $0.startedAt, cells: cells($0)) }
            + body.events.map { (at: $0.at, cells: cells($0)) }
        let rows =
            past.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element.cells) + body.next.map(cells)
        return SubscriptionWords.line(body.subscription) + "\n\n"
            + Terminal.table(["AT", "WHAT", "PRODUCT", "ABOUT"], rows)
    }

    private static func cells(_ period: SaleBody) -> [String] {
        let (sold, end) = (period.sold, period.expiresAt.map { TimeWords.text($0) } ?? "")
        let about = [
            AmountWords.text(sold.priceMilliunits, sold.currency), sold.offer,
            [.revoked, .replaced].contains(period.state) ? period.state.rawValue : nil,
        ]
        return [
            TimeWords.text(period.startedAt), "period until \(end)", sold.productId,
            about.compactMap { $0 }.joined(separator: ", "),
        ]
    }

    private static func cells(_ event: EventBody) -> [String] {
        [TimeWords.text(event.at), event.kind, event.productId ?? "", event.subject ?? ""]
    }

    private static func cells(_ step: SubscriptionStepBody) -> [String] {
        let price = step.priceMilliunits.map { AmountWords.text($0, step.currency ?? "") }
        let about = [
            price, step.offer?.kind.rawValue, step.expirationReason.map { "reason \($0)" },
        ]
        let what =
            switch step.kind {
            case .renewal: "will renew"
            case .paymentFailure: "payment will fail"
            case .gracePeriodEnd: "grace period will end"
            case .expiry: "will expire"
            }
        return [
            TimeWords.text(step.at), what, step.productId ?? "",
            about.compactMap { $0 }.joined(separator: ", "),
        ]
    }
}

extension SaleBody {
    fileprivate var startedAt: Timestamp { Timestamp(milliseconds: sold.purchasedAt) }
}
