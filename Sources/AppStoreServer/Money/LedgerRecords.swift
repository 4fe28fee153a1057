import StoreDatabase
import StoreModel
import StoreRules

/// An entry of the ledger under its number.
struct StoredLedgerEntry: Sendable {
    let number: LedgerEntryNumber
    let entry: LedgerEntry
}

/// The outcome of a charge.
enum ChargeOutcome: Hashable, Sendable {
    /// Paid, now or before; without an entry when it costs nothing.
    case charged(LedgerEntryNumber?)
    /// Nothing was entered.
    case insufficientCredit(missing: Money)
}

/// The outcome of a refund.
enum RefundOutcome: Hashable, Sendable {
    /// Refunded, now or before; without an entry when the amount is 0.
    case refunded(Money, LedgerEntryNumber?)
    /// Nothing was entered.
    case refused(RefundRefusal)
}

/// The outcome of a request to top up or correct.
enum CreditOutcome: Sendable {
    /// Entered, now or before.
    case entered(LedgerEntryNumber, isNew: Bool)
    case idReused
    case refused(CreditRefusal)
}

extension WriteScope {
    /// Charges the buyer's credit for a purchase and gives the amount to the app's developer, in
    /// the caller's commit.
    ///
    /// A transaction is charged once: a repeated call gets the same answer. An amount of 0 enters
    /// nothing. Throws `LedgerFault` for an amount below 0 and for a transaction that was charged
    /// otherwise; both are mistakes of the caller. `now` is what the world's time recorded in this
    /// commit.
    borrowing func charge(
        _ amount: Money, to account: AccountID, for transaction: TransactionID, of app: AppID,
        in environment: StoreEnvironment, at now: Timestamp
    ) throws -> ChargeOutcome {
        if let known = try reading.ledgerEntry(.charge(transaction)) {
            guard known.entry.customer == account, known.entry.amount == amount.reversed else {
                throw LedgerFault.enteredOtherwise
            }
            return .charged(known.number)
        }
        let credit = try reading.credit(of: account, in: amount.currency)
        switch try ChargeRules.charging(amount, credit: credit) {
        case .free: return .charged(nil)
        case .insufficientCredit(let missing): return .insufficientCredit(missing: missing)
        case .pay:
            let developer = try reading.developer(of: app)
            let entry = try LedgerEntry.charge(
                amount, to: account, for: transaction, earnedBy: developer, in: environment,
                at: now)
            return .charged(try enter(entry))
        }
    }

    /// Refunds a transaction's charge, or some of it, in the caller's commit: to the account that
    /// was charged, from the developer that earned it, whoever owns account and app by now.
    ///
    /// A nil amount means all that is left. `reference` is the caller's name for this refund,
    /// unique in a world: a repeated call under it gets the same answer. Nothing is entered for an
    /// amount of 0, or for nil when nothing is left.
    borrowing func refund(
        _ amount: Money?, of transaction: TransactionID, reference: String, at now: Timestamp
    ) throws -> RefundOutcome {
        let charge = try reading.ledgerEntry(.charge(transaction))
        let known = try reading.ledgerEntry(.refund(reference))
        let refunded = try reading.refundedMilliunits(of: transaction)
        let decision = try ChargeRules.refunding(
            amount, of: charge?.entry, refunded: refunded, known: known?.entry)
        switch decision {
        case .answerKnown(let money): return .refunded(money, known?.number)
        case .nothing(let nothing): return .refunded(nothing, nil)
        case .refuse(let reason): return .refused(reason)
        case .give(let money):
            guard let charge else { throw LedgerFault.wrongTransaction }
            let entry = try LedgerEntry.refund(
                money, of: charge.entry, named: reference, at: now)
            return .refunded(money, try enter(entry))
        }
    }

    /// Tops up or corrects an account's credit, once for each id; `now` becomes the world's time
    /// when something is entered.
    borrowing func change(
        _ request: CreditRequest, at now: Timestamp
    ) throws -> CreditOutcome {
        let known = try reading.ledgerEntry(.request(request.id))
        let credit = try reading.credit(of: request.account, in: request.amount.currency)
        let decision = try CreditRules.decide(
            request, credit: credit, known: known?.entry, at: now)
        switch (decision, known) {
        case (.answerKnown, let known?): return .entered(known.number, isNew: false)
        case (.answerKnown, nil), (.idReused, _): return .idReused
        case (.refuse(let reason), _): return .refused(reason)
        case (.enter(let entry), _): return .entered(try enter(entry), isNew: true)
        }
    }

    /// Writes an entry, its postings and its customer's new balance. Nothing else writes them.
    borrowing func enter(_ entry: LedgerEntry) throws -> LedgerEntryNumber {
        let credit = try reading.credit(of: entry.customer, in: entry.amount.currency)
        guard let balance = credit.adding(entry.amount) else { throw LedgerFault.overflow }
        let number = LedgerEntryNumber(try next("ledger_entry"))
        try execute(
            """
            INSERT INTO ledger_entry
                (number, environment, kind, at_ms, reference, transaction_id, note)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .integer(number.rawValue), .text(entry.environment.rawValue),
                .text(entry.kind.rawValue), .integer(entry.at.milliseconds),
                .text(entry.reference.text), .integer(entry.transaction?.rawValue),
                .text(entry.note),
            ])
        for posting in entry.postings { try post(posting, to: number) }
        try execute(
            """
            INSERT INTO credit_balance (account_id, currency, milliunits) VALUES (?1, ?2, ?3)
            ON CONFLICT (account_id, currency) DO UPDATE SET milliunits = excluded.milliunits
            """,
            [
                .integer(entry.customer.rawValue), .text(balance.currency.code),
                .integer(balance.milliunits),
            ])
        return number
    }

    private borrowing func post(
        _ posting: LedgerPosting, to number: LedgerEntryNumber
    ) throws {
        try execute(
            """
            INSERT INTO ledger_posting
                (entry_number, account_kind, account_id, milliunits, currency)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .integer(number.rawValue), .text(posting.account.kind.rawValue),
                .integer(posting.account.row), .integer(posting.amount.milliunits),
                .text(posting.amount.currency.code),
            ])
    }
}
