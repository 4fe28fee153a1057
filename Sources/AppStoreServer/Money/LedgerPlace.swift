import StoreModel
import StoreRules

/// An account of the ledger in one currency: a place in the list of accounts.
struct LedgerPlace: Hashable, Sendable {
    let account: LedgerAccount
    let currency: Currency

    /// The order of a list: there can be a million customers, so they come last.
    static let kinds = LedgerAccount.Kind.allCases.filter { $0 != .customer } + [.customer]
}

extension LedgerPlace: LosslessStringConvertible {
    /// As a client sends it back.
    static let pattern =
        "^(\(kinds.map(\.rawValue).joined(separator: "|")))-[0-9]{1,18}-[A-Z]{3}$"

    var description: String { "\(account.kind.rawValue)-\(account.row)-\(currency.code)" }

    /// Nil unless an answer gave it.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([A-Za-z]+)-([0-9]{1,18})-([A-Z]{3})/),
            let kind = LedgerAccount.Kind(rawValue: String(match.1)), let row = Int64(match.2),
            let currency = Currency(code: String(match.3))
        else { return nil }
        self.init(account: LedgerAccount(kind, row: row), currency: currency)
    }
}
