package import StoreModel

/// What the owner asks to be done to a customer's credit.
package struct CreditRequest: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        case topUp
        case correction(reason: String)
    }

    /// Made by the sender: the same id is the same request.
    package let id: String
    package let purpose: Purpose
    package let account: AccountID
    package let environment: StoreEnvironment
    package let storefront: Storefront
    package let milliunits: Int64
    /// Nil for that of the storefront.
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

/// Why credit stays as it is. Ordered: the first reason that holds is given.
package enum CreditRefusal: Hashable, CaseIterable, Sendable {
    /// Nothing, below 0 where only more is given, or more than `amountMilliunitsMax` either way.
    case amountNotAllowed
    /// The storefront of the account has another currency.
    case otherCurrency
    /// There would be more than `creditMilliunitsMax`.
    case creditLimit
    /// There is less than what is to be taken.
    case creditTooLow
}

/// What becomes of a request.
package enum CreditDecision: Hashable, Sendable {
    /// The very request was made before: answer what came of it.
    case answerKnown
    /// Its id was used for something else.
    case idReused
    case refuse(CreditRefusal)
    case enter(LedgerEntry)
}

/// Who may have how much credit.
package enum CreditRules {
    /// What one request, or one gift code, moves at most: as much as the dearest product costs.
    package static let amountMilliunitsMax = Price.milliunitsMax
    /// The most credit that an account may be given in one currency. Refunds go beyond: nobody
    /// loses what they paid. Exact in a JSON reader that knows only doubles.
    package static let creditMilliunitsMax: Int64 = 1_000_000_000_000

    /// Decides a request, once. `known` is the entry that its id stands for; `credit` is what the
    /// account has in the currency of the request.
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

    /// Whether an account in a storefront may be given so much more.
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
        // What is left of another storefront's currency can be taken, too.
        guard let rest = credit.adding(request.amount), rest.milliunits >= 0 else {
            return .creditTooLow
        }
        return nil
    }

    /// A currency that was left out is the one that the storefront had then.
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
