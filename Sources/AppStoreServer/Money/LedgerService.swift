import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Shows the ledger: its entries, and what each account holds.
enum LedgerService {
    /// `GET /control/v1/ledger/entries`
    static func entries(_ call: StoreCall) throws -> LedgerEntriesBody {
        let order: ListOrder = try call.request.queryName("order") ?? .oldest
        let countMax = try call.request.limit(
            Limits.ledgerEntriesPerAnswerMax, countMax: Limits.ledgerEntriesPerAnswerMax)
        let after = try call.request.after()
        return try call.world.database.read { scope in
            let filter = try LedgerFilter(call.request, scope)
            var end: Int64?
            let page = try Page(of: countMax) {
                let found = try scope.ledgerEntries(
                    filter, after: after == 0 ? nil : after, order, countMax: $0)
                end = found.end
                return found.entries
            }
            return LedgerEntriesBody(
                entries: try page.items.map { try LedgerEntryBody($0, scope) },
                next: page.next(\.number.rawValue) ?? end)
        }
    }

    /// `GET /control/v1/ledger/accounts`
    static func accounts(_ call: StoreCall) throws -> LedgerAccountsBody {
        let holder: LedgerAccount.Kind? = try call.request.queryName("holder")
        let countMax = try call.request.limit(
            Limits.ledgerAccountsPerAnswerMax, countMax: Limits.ledgerAccountsPerAnswerMax)
        let after = try place(call)
        let kinds = holder.map { [$0] } ?? LedgerPlace.kinds
        return try call.world.database.read { scope in
            let page = try Page(of: countMax) {
                try scope.ledgerPlaces(of: kinds, after: after, countMax: $0)
            }
            return LedgerAccountsBody(
                accounts: try page.items.map { try LedgerAccountBody($0, scope) },
                next: page.next(\.description))
        }
    }

    /// Where a page begins; nil for the list's beginning.
    private static func place(_ call: StoreCall) throws -> LedgerPlace? {
        guard let text = call.request.queryValue("after"), text != "0" else { return nil }
        guard let place = LedgerPlace(text) else {
            throw Refusal(
                400, "badQuery", "after is not a place that an earlier page gave, nor 0.")
        }
        return place
    }
}

extension LedgerAccountBody {
    fileprivate init(_ place: LedgerPlace, _ scope: borrowing ReadScope) throws {
        var environment: StoreEnvironment?
        if case .customer(let account) = place.account {
            environment = try scope.account(account)?.environment
        }
        self.init(
            holder: place.account.kind.rawValue, name: try scope.name(of: place.account),
            environment: environment, currency: place.currency.code,
            milliunits: try scope.balance(of: place))
    }
}

extension LedgerEntryBody {
    init(_ stored: StoredLedgerEntry, _ scope: borrowing ReadScope) throws {
        let entry = stored.entry
        var postings: [LedgerPostingBody] = []
        for posting in entry.postings {
            postings.append(
                LedgerPostingBody(
                    holder: posting.account.kind.rawValue,
                    name: try scope.name(of: posting.account),
                    milliunits: posting.amount.milliunits))
        }
        self.init(
            number: stored.number.rawValue, environment: entry.environment, kind: entry.kind,
            at: entry.at, reference: entry.reference.text,
            transactionId: entry.transaction.map { "\($0)" }, reason: entry.note,
            currency: entry.amount.currency.code, postings: postings)
    }
}
