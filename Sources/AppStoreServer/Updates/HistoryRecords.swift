import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire

/// Which events a list has.
struct HistoryFilter: Sendable {
    let owner: OwnerFilter
    /// Nil for all kinds.
    let kind: Event.Kind?

    init(_ request: HTTPRequest, _ scope: borrowing ReadScope) throws {
        owner = try OwnerFilter(request, scope)
        kind = try request.queryName("kind")
    }
}

/// How the events of a page are found.
enum EventSource: CaseIterable, Sendable {
    /// Along the numbers, with the filters looked at for each.
    case walk
    /// By the account.
    case account

    private var place: String {
        switch self {
        case .walk: "event.number > ?1 AND event.number < ?2"
        case .account:
            """
            event.number IN (SELECT number FROM event AS own WHERE own.account_id = ?3
                AND own.number > ?1 AND own.number < ?2)
            """
        }
    }

    /// Selects the events of a page; takes a span, the filters and a count.
    func page(_ order: ListOrder) -> String {
        """
        \(eventRows) WHERE \(place) AND (?4 IS NULL OR event.app_id = ?4)
            AND (?5 IS NULL OR event.environment = ?5) AND (?6 IS NULL OR event.kind = ?6)
        ORDER BY event.number \(order.sql) LIMIT ?7
        """
    }
}

private let eventRows = """
    SELECT event.number, event.kind, event.environment, app.bundle_id, account.name,
        event.transaction_id, sold.product_id, event.subject, event.at_ms
    FROM event CROSS JOIN app ON app.id = event.app_id
    CROSS JOIN account ON account.id = event.account_id
    LEFT JOIN store_transaction AS sold ON sold.id = event.transaction_id
    """

/// Takes an account, an app, a subscription's first transaction, the number before which to
/// look, and a count.
let eventsOfSubscription = """
    \(eventRows) WHERE event.account_id = ?1 AND event.app_id = ?2 AND sold.original_id = ?3
        AND event.number < ?4
    ORDER BY event.number DESC LIMIT ?5
    """

extension ReadScope {
    /// What happened to a subscription, newest first.
    borrowing func events(
        of kept: SubscriptionRecord, before number: Int64, countMax: Int
    ) throws -> [EventBody] {
        try rows(
            eventsOfSubscription, [kept.account, kept.app, kept.original, number, countMax]
        ).map { try EventBody($0) }
    }

    /// The world's events after a place in an order; and, if the filters may fit others behind it,
    /// the number up to which was looked.
    borrowing func history(
        _ filter: HistoryFilter, after place: Int64?, _ order: ListOrder, countMax: Int,
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax
    ) throws -> (events: [EventBody], end: Int64?) {
        let source: EventSource = filter.owner.account == nil ? .walk : .account
        var span = NumberSpan(after: place, in: order, of: 1...Int64.max)
        var end: Int64?
        if source == .walk {
            end = try walkEnd(over: .events, span, order, lookingAt: lookedAtMax)
            if let end { span = span.ending(with: end, in: order) }
        }
        let found = try rows(
            source.page(order),
            [
                span.above, span.below, filter.owner.account, filter.owner.app,
                filter.owner.environment, filter.kind, countMax,
            ]
        ).map { try EventBody($0) }
        return (found, end)
    }

    /// An event of the world, by its number.
    borrowing func historyEvent(_ number: EventNumber) throws -> EventBody? {
        try row("\(eventRows) WHERE event.number = ?1", [number]).map { try EventBody($0) }
    }
}

extension EventBody {
    /// From the columns of `eventRows`.
    fileprivate init(_ row: Row) throws {
        let transaction: TransactionID? = try row["transaction_id"]
        self.init(
            number: try row["number"], kind: try row["kind"], environment: try row["environment"],
            bundleId: try row["bundle_id"], account: try row["name"],
            transactionId: transaction.map { "\($0)" }, productId: try row["product_id"],
            subject: try row["subject"], at: try row["at_ms"])
    }
}
