import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Which entries a list of the ledger has; nil for any.
struct LedgerFilter: Sendable {
    let environment: StoreEnvironment?
    let account: AccountID?
    let developer: DeveloperID?
    let kind: LedgerEntryKind?

    init(_ request: HTTPRequest, _ scope: borrowing ReadScope) throws {
        let owner = try OwnerFilter(request, scope)
        environment = owner.environment
        account = owner.account
        developer = try request.queryValue("developer").map { try scope.knownDeveloper($0) }
        kind = try request.queryName("kind")
    }
}

/// How the entries of a page are found.
enum LedgerSource: CaseIterable, Sendable {
    /// Along the numbers, with the filters looked at for each.
    case walk
    /// By the customer.
    case account

    private var place: String {
        switch self {
        case .walk: "ledger_entry.number > ?1 AND ledger_entry.number < ?2"
        case .account:
            """
            ledger_entry.number IN (SELECT entry_number FROM ledger_posting
                WHERE account_kind = 'customer' AND account_id = ?3
                AND +entry_number > ?1 AND +entry_number < ?2)
            """
        }
    }

    /// Selects the entries of a page; takes a span, the filters and a count.
    func page(_ order: ListOrder) -> String {
        """
        SELECT \(ledgerEntryColumns) FROM ledger_entry
        WHERE \(place) AND (?4 IS NULL OR EXISTS (SELECT 1 FROM ledger_posting AS earned
                WHERE earned.entry_number = ledger_entry.number
                AND earned.account_kind = 'developer' AND earned.account_id = ?4))
            AND (?5 IS NULL OR environment = ?5) AND (?6 IS NULL OR kind = ?6)
        ORDER BY ledger_entry.number \(order.sql) LIMIT ?7
        """
    }
}

/// Selects the next account of a kind, in the order of owners and currencies; takes the kind, an
/// owner and a currency.
let nextLedgerAccount = """
    SELECT account_id, currency FROM ledger_posting
    WHERE account_kind = ?1 AND (account_id, currency) > (?2, ?3)
    ORDER BY account_id, currency LIMIT 1
    """

/// Sums up an account; takes its kind, owner and currency.
let ledgerAccountSum = """
    SELECT sum(milliunits) FROM ledger_posting
    WHERE account_kind = ?1 AND account_id = ?2 AND currency = ?3
    """

extension ReadScope {
    /// The entries after a place in an order; and, if the filters may fit others behind it, the
    /// number up to which was looked.
    borrowing func ledgerEntries(
        _ filter: LedgerFilter, after place: Int64?, _ order: ListOrder, countMax: Int,
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax
    ) throws -> (entries: [StoredLedgerEntry], end: Int64?) {
        let source: LedgerSource = filter.account == nil ? .walk : .account
        var span = NumberSpan(after: place, in: order, of: 1...Int64.max)
        var end: Int64?
        if source == .walk {
            end = try walkEnd(over: .ledgerEntries, span, order, lookingAt: lookedAtMax)
            if let end { span = span.ending(with: end, in: order) }
        }
        let found = try rows(
            source.page(order),
            [
                span.above, span.below, filter.account, filter.developer, filter.environment,
                filter.kind, countMax,
            ])
        return (try found.map { try ledgerEntry($0) }, end)
    }

    /// The accounts of some kinds after a place, in the order of `LedgerPlace`.
    borrowing func ledgerPlaces(
        of kinds: [LedgerAccount.Kind], after place: LedgerPlace?, countMax: Int
    ) throws -> [LedgerPlace] {
        var found: [LedgerPlace] = []
        var last = place
        for kind in kinds.drop(while: { place != nil && $0 != place?.account.kind }) {
            if last?.account.kind != kind { last = nil }
            while found.count < countMax, let next = try ledgerPlace(of: kind, after: last) {
                found.append(next)
                last = next
            }
        }
        return found
    }

    private borrowing func ledgerPlace(
        of kind: LedgerAccount.Kind, after place: LedgerPlace?
    ) throws -> LedgerPlace? {
        try row(
            nextLedgerAccount,
            [kind.rawValue, place?.account.row ?? -1, place?.currency.code ?? ""]
        ).map { row in
            LedgerPlace(
                account: LedgerAccount(kind, row: try row["account_id"]),
                currency: try row["currency"])
        }
    }

    /// The balance of an account. A customer's is kept; the others' is summed up, which takes about half
    /// a second for a million postings.
    borrowing func balance(of place: LedgerPlace) throws -> Int64 {
        if case .customer(let account) = place.account {
            return try credit(of: account, in: place.currency).milliunits
        }
        return try value(
            ledgerAccountSum,
            [place.account.kind.rawValue, place.account.row, place.currency]) ?? 0
    }

    /// The name of an account's owner; nil for accounts of which there is only one.
    borrowing func name(of holder: LedgerAccount) throws -> String? {
        switch holder {
        case .customer(let account): try self.account(account)?.name
        case .developer(let developer):
            try value("SELECT name FROM developer WHERE id = ?1", [developer])
        case .giftCodes, .funding, .provider: nil
        }
    }
}
