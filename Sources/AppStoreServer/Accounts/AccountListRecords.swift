import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// An account as its owner sees it.
struct AccountOverview: Sendable {
    let account: Account
    let record: SignInRecord
    let lock: AccountLock?
    let devicesSignedIn: Int
    let settings: AccountSettings
    let madeAt: Timestamp
    /// Nil unless it was deleted; its name is a pseudonym then.
    let deletedAt: Timestamp?
}

/// Which accounts a list has; nil for any.
struct AccountFilter: Sendable {
    let environment: StoreEnvironment?
    /// The pattern that a name has to match, in small letters.
    let pattern: String?

    init(_ request: HTTPRequest) throws {
        environment = try request.queryName("environment")
        pattern = try request.queryValue("search").map { part in
            let isPrintable = part.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F
            }
            guard (1...Limits.accountNameBytesMax).contains(part.utf8.count), isPrintable else {
                throw Refusal(
                    400, "badQuery",
                    "search must have 1 to \(Limits.accountNameBytesMax) bytes and no control "
                        + "characters.")
            }
            return Self.pattern(of: part)
        }
    }

    /// A pattern for names with a part, which means itself and nothing else. The database, too, knows
    /// only A to Z as capitals.
    private static func pattern(of part: String) -> String {
        var pattern = "%"
        for scalar in part.unicodeScalars {
            if "!%_".unicodeScalars.contains(scalar) { pattern += "!" }
            let isCapital = scalar >= "A" && scalar <= "Z"
            pattern.unicodeScalars.append(
                isCapital ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
        }
        return pattern + "%"
    }
}

/// Takes the real time.
private let overviewRows = """
    SELECT id, environment, name, storefront, failures, locked_until_real_ms, lock_reason,
        lock_until_real_ms,
        (SELECT count(DISTINCT device_id) FROM device_token
            WHERE account_id = account.id AND expires_real_ms > ?1) AS devices,
        needs_approval, interrupts_purchases, fails_renewals, created_ms, deleted_ms
    FROM account WHERE deleted_transaction_id IS NULL
    """

/// Selects an account; takes the real time and the account.
let accountRow = "\(overviewRows) AND id = ?2"

/// Selects the accounts of a page; takes the real time, a span, the filters and a count.
func accountPage(_ order: ListOrder) -> String {
    """
    \(overviewRows) AND id > ?2 AND id < ?3 AND (?4 IS NULL OR environment = ?4)
        AND (?5 IS NULL OR lower(name) LIKE ?5 ESCAPE '!')
    ORDER BY id \(order.sql) LIMIT ?6
    """
}

extension ReadScope {
    /// An account; nil for one that stands for a deleted transaction.
    borrowing func accountOverview(
        of account: AccountID, realNow: Timestamp
    ) throws -> AccountOverview? {
        try row(accountRow, [realNow, account]).map { try AccountOverview($0) }
    }

    /// Every account, in the order of environment and name, without those that stand for deleted
    /// transactions.
    borrowing func accountOverviews(realNow: Timestamp) throws -> [AccountOverview] {
        try rows("\(overviewRows) ORDER BY environment, name", [realNow])
            .map { try AccountOverview($0) }
    }

    /// The accounts after a place in an order; and, if the filters may fit others behind it, the
    /// number up to which was looked.
    borrowing func accounts(
        _ filter: AccountFilter, after place: Int64?, _ order: ListOrder, countMax: Int,
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax, realNow: Timestamp
    ) throws -> (accounts: [AccountOverview], end: Int64?) {
        var span = NumberSpan(after: place, in: order, of: 1...Int64.max)
        let end = try walkEnd(over: .accounts, span, order, lookingAt: lookedAtMax)
        if let end { span = span.ending(with: end, in: order) }
        let found = try rows(
            accountPage(order),
            [realNow, span.above, span.below, filter.environment, filter.pattern, countMax])
        return (try found.map { try AccountOverview($0) }, end)
    }
}

extension AccountOverview {
    /// From the columns of `overviewRows`.
    fileprivate init(_ row: Row) throws {
        self.init(
            account: try Account(row), record: try SignInRecord(row), lock: try AccountLock(row),
            devicesSignedIn: try row["devices"], settings: try AccountSettings(row),
            madeAt: try row["created_ms"], deletedAt: try row["deleted_ms"])
    }
}
