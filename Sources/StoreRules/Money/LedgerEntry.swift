package import StoreModel

/// What one account receives by an entry; negative for the account that gives.
package struct LedgerPosting: Hashable, Sendable {
    package let account: LedgerAccount
    package let amount: Money

    package init(_ account: LedgerAccount, _ amount: Money) {
        self.account = account
        self.amount = amount
    }
}

/// Why something is not a valid entry of a ledger; the first reason wins.
package enum LedgerFault: Error, Hashable, CaseIterable, Sendable {
    case fewerThanTwoPostings
    /// A posting of zero.
    case emptyPosting
    case mixedCurrencies
    case accountTwice
    /// Every entry concerns one customer.
    case notOneCustomer
    /// The other account does not fit this kind of entry.
    case wrongAccount
    /// The customer would lose by a kind that only gives, or the other way round.
    case wrongDirection
    /// A charge or refund without a transaction, or another kind with one.
    case wrongTransaction
    /// The postings do not balance to zero.
    case unbalanced
    /// A sum exceeds 64 bits.
    case overflow
    /// The entry exists with other content.
    case enteredOtherwise
}

/// Money that moved from one account to another: a fact, never changed. A mistake is corrected by
/// another entry.
package struct LedgerEntry: Hashable, Sendable {
    package let kind: LedgerEntryKind
    package let environment: StoreEnvironment
    package let at: Timestamp
    package let reference: LedgerReference
    /// The charged or refunded transaction.
    package let transaction: TransactionID?
    /// The owner's reason for a correction.
    package let note: String?
    package let postings: [LedgerPosting]
    /// The customer whose credit it changes.
    package let customer: AccountID
    /// The amount that the customer receives; negative for a loss.
    package let amount: Money

    /// Checks that the postings fit the kind of entry, have one currency, and balance to zero.
    package init(
        _ kind: LedgerEntryKind, in environment: StoreEnvironment, at: Timestamp,
        reference: LedgerReference, transaction: TransactionID? = nil, note: String? = nil,
        postings: [LedgerPosting]
    ) throws(LedgerFault) {
        try Self.checkForm(postings)
        let own = try Self.customerPosting(postings)
        for posting in postings where posting.account.kind != .customer {
            guard posting.account.kind == kind.otherSide else { throw .wrongAccount }
        }
        guard kind.allows(own.amount.milliunits) else { throw .wrongDirection }
        guard kind.isOfTransaction == (transaction != nil) else { throw .wrongTransaction }
        try Self.checkBalance(postings)
        self.kind = kind
        self.environment = environment
        self.at = at
        self.reference = reference
        self.transaction = transaction
        self.note = note
        self.postings = postings
        customer = own.customer
        amount = own.amount
    }

    private static func checkForm(_ postings: [LedgerPosting]) throws(LedgerFault) {
        guard postings.count >= 2 else { throw .fewerThanTwoPostings }
        guard postings.allSatisfy({ $0.amount.milliunits != 0 }) else { throw .emptyPosting }
        guard Set(postings.map(\.amount.currency)).count == 1 else { throw .mixedCurrencies }
        guard Set(postings.map(\.account)).count == postings.count else { throw .accountTwice }
    }

    private static func customerPosting(
        _ postings: [LedgerPosting]
    ) throws(LedgerFault) -> (customer: AccountID, amount: Money) {
        var found: (customer: AccountID, amount: Money)?
        for posting in postings {
            guard case .customer(let account) = posting.account else { continue }
            guard found == nil else { throw .notOneCustomer }
            found = (account, posting.amount)
        }
        guard let found else { throw .notOneCustomer }
        return found
    }

    private static func checkBalance(_ postings: [LedgerPosting]) throws(LedgerFault) {
        var sum: Int64 = 0
        for posting in postings {
            let (next, overflow) = sum.addingReportingOverflow(posting.amount.milliunits)
            guard !overflow else { throw .overflow }
            sum = next
        }
        guard sum == 0 else { throw .unbalanced }
    }
}
