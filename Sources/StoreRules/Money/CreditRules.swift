package import StoreModel

/// The owner's request to change a customer's credit.
package struct CreditRequest: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        case topUp
        case correction(reason: String)
    }

    /// Made by the sender: the same id means the same request.
    package let id: String
    package let purpose: Purpose
    package let account: AccountID
    package let environment: StoreEnvironment
    package let storefront: Storefront
    package let milliunits: Int64
    /// Nil for the storefront's currency.
    package let currency: Currency?

    package init(
        id: String, purpose: Purpose, account: AccountID, environment: StoreEnvironment,
        storefront: Storefront, milliunits: Int64, currency: Currency?
    ) {
        self.id = id
        self.purpose = purpose
        self.account = account
        self.environment = environment
        self.storefront = storefront
        self.milliunits = milliunits
        self.currency = currency
    }

    package var amount: Money {
        Money(milliunits: milliunits, currency: currency ?? storefront.currency)
    }
}

/// Why credit stays unchanged. Ordered: the first reason that applies is given.
package enum CreditRefusal: Hashable, CaseIterable, Sendable {
    /// Zero, negative where only a positive amount is allowed, or more than `amountMilliunitsMax`
    /// either way.
    case amountNotAllowed
    /// The account's storefront has another currency.
    case otherCurrency
    /// The balance would exceed `creditMilliunitsMax`.
    case creditLimit
    /// The balance is less than the amount to take.
    case creditTooLow
}

/// The outcome of a request.
package enum CreditDecision: Hashable, Sendable {
    /// The same request was made before: answer with its result.
    case answerKnown
    /// Its id was used for something else.
    case idReused
    case refuse(CreditRefusal)
    case enter(LedgerEntry)
}

/// The limits of credit.
package enum CreditRules {
    /// The most that one request, or one gift code, moves: the highest product price.
    package static let amountMilliunitsMax = Price.milliunitsMax
    /// The most credit that an account may be given in one currency. Refunds may exceed it, so that
    /// customers never lose what they paid. Exact in a JSON reader that only has doubles.
    package static let creditMilliunitsMax: Int64 = 1_000_000_000_000

    /// Decides a request, once. `known` is the entry with its id; `credit` is the account's balance
    /// in the currency of the request.
    package static func decide(
        _ request: CreditRequest, credit: Money, known: LedgerEntry?, at now: Timestamp
    ) throws(LedgerFault) -> CreditDecision {
        if let known { return isSame(known, request) ? .answerKnown : .idReused }
        if let refusal = refusal(of: request, credit: credit) { return .refuse(refusal) }
        return switch request.purpose {
        case .topUp:
            .enter(
                try .topUp(
                    request.amount, to: request.account, in: request.environment,
                    request: request.id, at: now))
        case .correction(let reason):
            .enter(
                try .correction(
                    request.amount, of: request.account, in: request.environment,
                    request: request.id, reason: reason, at: now))
        }
    }

    /// Whether an account in a storefront may be given that much more.
    package static func refusal(
        toGive amount: Money, in storefront: Storefront, credit: Money
    ) -> CreditRefusal? {
        guard (1...amountMilliunitsMax).contains(amount.milliunits) else {
            return .amountNotAllowed
        }
        guard amount.currency == storefront.currency else { return .otherCurrency }
        guard let sum = credit.adding(amount), sum.milliunits <= creditMilliunitsMax else {
            return .creditLimit
        }
        return nil
    }

    private static func refusal(of request: CreditRequest, credit: Money) -> CreditRefusal? {
        guard request.milliunits < 0, case .correction = request.purpose else {
            return refusal(toGive: request.amount, in: request.storefront, credit: credit)
        }
        guard request.milliunits >= -amountMilliunitsMax else { return .amountNotAllowed }
        // A balance in another storefront's currency can be taken, too.
        guard let rest = credit.adding(request.amount), rest.milliunits >= 0 else {
            return .creditTooLow
        }
        return nil
    }

    /// An omitted currency means the storefront's at that time.
    private static func isSame(_ known: LedgerEntry, _ request: CreditRequest) -> Bool {
        let (kind, note): (LedgerEntryKind, String?) =
            switch request.purpose {
            case .topUp: (.topUp, nil)
            case .correction(let reason): (.correction, reason)
            }
        return known.kind == kind && known.note == note && known.customer == request.account
            && known.amount.milliunits == request.milliunits
            && (request.currency.map { $0 == known.amount.currency } ?? true)
    }
}
