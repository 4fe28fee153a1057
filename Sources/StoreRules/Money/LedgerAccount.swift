package import StoreModel

/// Who holds money in a world's ledger.
package enum LedgerAccount: Hashable, Sendable {
    /// A customer's credit.
    case customer(AccountID)
    /// What a developer account earned.
    case developer(DeveloperID)
    /// What gift codes stand for: outside of the world, so it is below 0 by what was redeemed.
    case giftCodes
    /// Where top-ups and corrections come from: outside, too.
    case funding
    /// The customers' payment provider: outside, below 0 by what it paid.
    case provider

    /// Its kind without whose it is.
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

    /// Whose it is; 0 for those of which there is one.
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
    /// Who gives to the customer, or takes.
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

    /// Whether the customer may get so much by it, or lose it.
    func allows(_ milliunits: Int64) -> Bool {
        switch self {
        case .topUp, .giftCode, .refund, .payment: milliunits > 0
        case .charge, .payout: milliunits < 0
        case .correction: true
        }
    }
}
