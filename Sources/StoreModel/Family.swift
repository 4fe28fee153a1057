package enum FamilyEntity {}

/// A family's number in its world, from 1.
package typealias FamilyNumber = Identifier<FamilyEntity, Int64>

/// An account in a family.
package struct FamilyMember: Hashable, Sendable {
    package let account: AccountID
    /// Whoever made the family; one in each, who stays until it ends.
    package let isOrganiser: Bool
    /// Whether this member's purchases are shared with the others.
    package let sharesPurchases: Bool

    package init(account: AccountID, isOrganiser: Bool = false, sharesPurchases: Bool = true) {
        self.account = account
        self.isOrganiser = isOrganiser
        self.sharesPurchases = sharesPurchases
    }
}

/// How somebody came to a transaction; the raw values are those of servers.
package enum Ownership: String, CaseIterable, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}

/// What a transaction shares that somebody got from a family member.
package struct FamilyShare: Hashable, Sendable {
    /// The transaction of whoever paid.
    package let purchase: TransactionID
    /// The original transaction of that one.
    package let original: TransactionID

    package init(purchase: TransactionID, original: TransactionID) {
        self.purchase = purchase
        self.original = original
    }

    /// What is shared at once: a subscription's period by itself, all else as a whole.
    package func item(of kind: ProductKind) -> TransactionID {
        kind == .autoRenewable ? purchase : original
    }
}
