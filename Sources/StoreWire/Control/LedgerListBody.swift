package import StoreModel

/// `GET /control/v1/ledger/entries`: a page of the ledger.
package struct LedgerEntriesBody: Codable, Hashable, Sendable {
    package let entries: [LedgerEntryBody]
    /// The `after` of the next page; absent on the last.
    package let next: Int64?

    package init(entries: [LedgerEntryBody], next: Int64?) {
        self.entries = entries
        self.next = next
    }
}

/// What an account of the ledger holds in one currency.
package struct LedgerAccountBody: Codable, Hashable, Sendable {
    /// `customer`, `developer`, `giftCodes`, `funding` or `provider`.
    package let holder: String
    /// The customer's or the developer's name; absent where there is only one such account.
    package let name: String?
    /// A customer's; absent for the others, which serve both environments.
    package let environment: StoreEnvironment?
    package let currency: String
    /// The sum of its postings, in thousandths; negative for what it gave.
    package let milliunits: Int64

    package init(
        holder: String, name: String?, environment: StoreEnvironment?, currency: String,
        milliunits: Int64
    ) {
        self.holder = holder
        self.name = name
        self.environment = environment
        self.currency = currency
        self.milliunits = milliunits
    }
}

/// `GET /control/v1/ledger/accounts`: the customers' come last.
package struct LedgerAccountsBody: Codable, Hashable, Sendable {
    package let accounts: [LedgerAccountBody]
    /// The `after` of the next page; absent on the last.
    package let next: String?

    package init(accounts: [LedgerAccountBody], next: String?) {
        self.accounts = accounts
        self.next = next
    }
}
