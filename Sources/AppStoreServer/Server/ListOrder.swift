import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// The order of a list that grows at its end.
enum ListOrder: String, CaseIterable, Sendable {
    case oldest
    case newest

    /// After a column in `ORDER BY`.
    var sql: String { self == .oldest ? "" : "DESC" }
}

/// The part of a list's numbers that a page may have, without its two ends.
struct NumberSpan: Hashable, Sendable {
    var above: Int64
    var below: Int64

    /// What follows a place in an order; from the list's beginning without one.
    init(after place: Int64?, in order: ListOrder, of numbers: ClosedRange<Int64>) {
        above = numbers.lowerBound - 1
        below = numbers.upperBound == .max ? .max : numbers.upperBound + 1
        guard let place else { return }
        switch order {
        case .oldest: above = max(above, place)
        case .newest: below = min(below, place)
        }
    }

    /// The same up to a number, and with it.
    func ending(with number: Int64, in order: ListOrder) -> NumberSpan {
        var span = self
        switch order {
        case .oldest: span.below = min(below, number == .max ? .max : number + 1)
        case .newest: span.above = max(above, number - 1)
        }
        return span
    }
}

/// A table that is listed by its number.
struct NumberedTable: Sendable {
    let name: String
    let number: String

    static let sales = NumberedTable(name: "store_transaction", number: "id")
    static let events = NumberedTable(name: "event", number: "number")
    static let devices = NumberedTable(name: "device", number: "id")
    static let accounts = NumberedTable(name: "account", number: "id")
    static let ledgerEntries = NumberedTable(name: "ledger_entry", number: "number")

    static let all = [sales, events, devices, accounts, ledgerEntries]

    /// The last number that a walk over a span may look at; takes the span and how many rows it
    /// leaves aside before.
    func walkEnd(_ order: ListOrder) -> String {
        """
        SELECT \(number) FROM \(name) WHERE \(number) > ?1 AND \(number) < ?2
        ORDER BY \(number) \(order.sql) LIMIT 1 OFFSET ?3
        """
    }
}

extension ReadScope {
    /// Where a walk over a table has to end, so that a page whose filters fit few rows does not
    /// read all of them; nil when there are not that many.
    borrowing func walkEnd(
        over table: NumberedTable, _ span: NumberSpan, _ order: ListOrder, lookingAt countMax: Int
    ) throws -> Int64? {
        try value(table.walkEnd(order), [span.above, span.below, countMax - 1])
    }
}

extension Parameter {
    static let order = Parameter(
        .query, "order", "`oldest` when absent.",
        schema: .oneOf(ListOrder.allCases.map(\.rawValue)), example: "newest")

    /// Of lists that can be followed.
    static let ofList = Parameter(
        .query, "list",
        "The `list` of an earlier page. If this is another, the answer does not wait.",
        schema: ["type": "string", "pattern": #"^[^\u0000-\u001f\u007f]*$"#],
        example: "0B9A6E1C-52F7-4E0D-8C37-3F5B1D2A9E64")

    /// Filters that several lists have.
    static let ofEnvironment = Parameter(
        .query, "environment",
        "Only those of this environment, in which `account` is `sandbox` when absent.",
        schema: "Environment", example: "sandbox")
    static let ofAccount = Parameter(
        .query, "account", "Only those of the account of this name.", schema: "AccountName",
        example: "buyer@example.com")
    static let ofApp = Parameter(
        .query, "app", "Only those of this app.", schema: "BundleID",
        example: "com.example.rocketcar")
}

extension [Parameter] {
    /// An account's name and environment, for what is asked about one account.
    static func oneAccount(example: StoreEnvironment = .sandbox) -> [Parameter] {
        [
            Parameter(
                .query, "account", "Its name.", schema: "AccountName",
                example: "buyer@example.com", isRequired: true),
            Parameter(
                .query, "environment", "`sandbox` when absent.", schema: "Environment",
                example: .string(example.rawValue)),
        ]
    }
}

/// The filters by environment, account and app, which several lists have.
struct OwnerFilter: Sendable {
    /// Nil for both.
    let environment: StoreEnvironment?
    let account: AccountID?
    let app: AppID?

    init(_ request: HTTPRequest, _ scope: borrowing ReadScope) throws {
        let named: StoreEnvironment? = try request.queryName("environment")
        let account = try request.queryValue("account").map { name in
            try AccountUpkeepService.find(
                NamedAccountBody(environment: named, name: name), evenDeleted: true, scope)
        }
        self.account = account?.id
        environment = account?.environment ?? named
        app = try request.queryValue("app").map { try scope.knownApp($0).id }
    }
}

extension HTTPRequest {
    /// `Parameter.limit`: the size of a page.
    func limit(_ usual: Int, countMax: Int) throws(Refusal) -> Int {
        guard let text = queryValue("limit") else { return usual }
        guard let limit = Int(text), (1...countMax).contains(limit) else {
            throw Refusal(400, "badQuery", "limit is not a number from 1 to \(countMax).")
        }
        return limit
    }

    /// A moment in milliseconds since 1970.
    func queryTime(_ name: String) throws(Refusal) -> Timestamp? {
        guard let text = queryValue(name) else { return nil }
        guard let milliseconds = Int64(text),
            Timestamp.range.contains(Timestamp(milliseconds: milliseconds))
        else {
            throw Refusal(
                400, "badQuery",
                "\(name) is not a time: write milliseconds since 1970, such as 1714558830123.")
        }
        return Timestamp(milliseconds: milliseconds)
    }
}
