package import StoreModel

/// A purchase that its family may share.
package struct SharedPurchase: Hashable, Sendable {
    package let purchase: TransactionID
    /// As in `FamilyShare.item`.
    package let item: TransactionID
    package let owner: AccountID

    package init(purchase: TransactionID, item: TransactionID, owner: AccountID) {
        self.purchase = purchase
        self.item = item
        self.owner = owner
    }
}

/// A share from a family member that an account may use.
package struct HeldShare: Hashable, Sendable {
    /// The holder's transaction.
    package let transaction: TransactionID
    /// As in `FamilyShare.item`.
    package let item: TransactionID
    package let holder: AccountID
    package let owner: AccountID

    package init(
        transaction: TransactionID, item: TransactionID, holder: AccountID, owner: AccountID
    ) {
        self.transaction = transaction
        self.item = item
        self.holder = holder
        self.owner = owner
    }
}

/// The shares that a family gains and loses.
package struct FamilyChanges: Hashable, Sendable {
    package struct Gift: Hashable, Sendable {
        package let purchase: TransactionID
        package let member: AccountID

        package init(purchase: TransactionID, member: AccountID) {
            self.purchase = purchase
            self.member = member
        }
    }

    /// In the order of the purchases, and of the members within.
    package let gifts: [Gift]
    /// Transactions of their holders.
    package let taken: [TransactionID]

    package init(gifts: [Gift], taken: [TransactionID]) {
        self.gifts = gifts
        self.taken = taken
    }
}

/// Which shares each family member has.
package enum FamilyShareRules {
    /// Whether purchases of a kind are shared, if their product allows it. Kinds that are used up,
    /// or that end without the store's knowledge, never are.
    package static func isShareable(_ kind: ProductKind) -> Bool {
        switch kind {
        case .nonConsumable, .autoRenewable: true
        case .consumable, .nonRenewing: false
        }
    }

    /// The changes that bring a family's shares up to date with what its members own and share.
    ///
    /// A member's own purchases do not matter here: they stay, and shares come in addition. A share
    /// whose purchase is not listed also stays, such as one whose product may no longer be shared;
    /// an ended one is not held.
    package static func changes(
        in family: [FamilyMember], purchases: [SharedPurchase], held: [HeldShare]
    ) -> FamilyChanges {
        let members = Set(family.map(\.account))
        let sharing = Set(family.filter(\.sharesPurchases).map(\.account))
        func stays(_ share: HeldShare) -> Bool {
            members.contains(share.holder) && sharing.contains(share.owner)
        }
        let kept = Set(held.filter(stays).map { Holding(item: $0.item, holder: $0.holder) })
        let taken = held.filter { !stays($0) }.map(\.transaction)
        let gifts = purchases.filter { sharing.contains($0.owner) }
            .sorted { $0.purchase < $1.purchase }
            .flatMap { purchase in
                family.map(\.account)
                    .filter {
                        $0 != purchase.owner
                            && !kept.contains(Holding(item: purchase.item, holder: $0))
                    }
                    .map { FamilyChanges.Gift(purchase: purchase.purchase, member: $0) }
            }
        return FamilyChanges(gifts: gifts, taken: taken.sorted())
    }

    private struct Holding: Hashable {
        let item: TransactionID
        let holder: AccountID
    }
}
