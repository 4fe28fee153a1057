package import StoreModel

/// An entry of the ledger: money that moved between accounts. Its postings sum to nothing.
package struct LedgerEntryBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let environment: StoreEnvironment
    package let kind: LedgerEntryKind
    /// By the world's clock.
    package let at: Timestamp
    /// Where it comes from, such as `charge/2000000000000000`; unique in the world.
    package let reference: String
    /// The charged or refunded transaction; absent for other kinds.
    package let transactionId: String?
    /// The owner's, of a correction; absent for other kinds.
    package let reason: String?
    package let currency: String
    package let postings: [LedgerPostingBody]

    package init(
        number: Int64, environment: StoreEnvironment, kind: LedgerEntryKind, at: Timestamp,
        reference: String, transactionId: String?, reason: String?, currency: String,
        postings: [LedgerPostingBody]
    ) {
        self.number = number
        self.environment = environment
        self.kind = kind
        self.at = at
        self.reference = reference
        self.transactionId = transactionId
        self.reason = reason
        self.currency = currency
        self.postings = postings
    }
}

/// What one account of the ledger receives by an entry.
package struct LedgerPostingBody: Codable, Hashable, Sendable {
    /// `customer`, `developer`, `giftCodes`, `funding` or `provider`.
    package let holder: String
    /// The customer's or the developer's name; absent where there is only one such account.
    package let name: String?
    /// In thousandths; negative for the account that gives.
    package let milliunits: Int64

    package init(holder: String, name: String?, milliunits: Int64) {
        self.holder = holder
        self.name = name
        self.milliunits = milliunits
    }
}
