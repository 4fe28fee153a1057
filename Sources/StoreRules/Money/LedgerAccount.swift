package import StoreModel

/// A holder of money in a world's ledger.
package enum LedgerAccount: Hashable, Sendable {
    /// A customer's credit.
    case customer(AccountID)
    /// A developer account's earnings.
    case developer(DeveloperID)
    /// The source of gift codes: outside the world, so it is negative by the redeemed amount.
    case giftCodes
    /// The source of top-ups and corrections: also outside.
    case funding
    /// The customers' payment provider: outside, negative by what it paid.
    case provider

    /// Its kind, without its owner.
    package enum Kind: String, CaseIterable, Sendable {
        case customer
        case developer
        case giftCodes
        case funding
        case provider
    }

    package var kind: Kind {
        switch self {
        case .customer: .customer
        case .developer: .developer
        case .giftCodes: .giftCodes
        case .funding: .funding
        case .provider: .provider
        }
    }

    /// Its owner; 0 for kinds with a single account.
    package var row: Int64 {
        switch self {
        case .customer(let account): account.rawValue
        case .developer(let developer): developer.rawValue
        case .giftCodes, .funding, .provider: 0
        }
    }

    package init(_ kind: Kind, row: Int64) {
        self =
            switch kind {
            case .customer: .customer(AccountID(row))
            case .developer: .developer(DeveloperID(row))
            case .giftCodes: .giftCodes
            case .funding: .funding
            case .provider: .provider
            }
    }
}

extension LedgerEntryKind {
    /// The account that gives to the customer, or takes.
    var otherSide: LedgerAccount.Kind {
        switch self {
        case .topUp, .correction: .funding
        case .giftCode: .giftCodes
        case .charge, .refund: .developer
        case .payment, .payout: .provider
        }
    }

    /// Whether it is about a purchase, and names its transaction.
    var isOfTransaction: Bool {
        switch self {
        case .charge, .refund: true
        case .topUp, .giftCode, .correction, .payment, .payout: false
        }
    }

    /// Whether the customer may gain or lose this amount by it.
    func allows(_ milliunits: Int64) -> Bool {
        switch self {
        case .topUp, .giftCode, .refund, .payment: milliunits > 0
        case .charge, .payout: milliunits < 0
        case .correction: true
        }
    }
}
