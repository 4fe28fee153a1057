package enum FamilyEntity {}

/// A family's number in its world, from 1.
package typealias FamilyNumber = Identifier<FamilyEntity, Int64>

/// An account in a family.
package struct FamilyMember: Hashable, Sendable {
    package let account: AccountID
    /// The member who made the family; there is one in each, who stays until it ends.
    package let isOrganiser: Bool
    /// Whether this member's purchases are shared with the others.
    package let sharesPurchases: Bool

    package init(account: AccountID, isOrganiser: Bool = false, sharesPurchases: Bool = true) {
        self.account = account
        self.isOrganiser = isOrganiser
        self.sharesPurchases = sharesPurchases
    }
}

/// How an account came to own a transaction; the raw values are those of servers.
package enum Ownership: String, CaseIterable, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}

/// The origin of a transaction that a family member shares.
package struct FamilyShare: Hashable, Sendable {
    /// The buyer's transaction.
    package let purchase: TransactionID
    /// The original transaction of the buyer's.
    package let original: TransactionID

    package init(purchase: TransactionID, original: TransactionID) {
        self.purchase = purchase
        self.original = original
    }

    /// The unit of sharing: each period of a subscription by itself, anything else as a whole.
    package func item(of kind: ProductKind) -> TransactionID {
        kind == .autoRenewable ? purchase : original
    }
}
