package import StoreModel

/// A purchase that its family may have.
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

/// What somebody has from a family member and may use.
package struct HeldShare: Hashable, Sendable {
    /// The transaction of whoever has it.
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

/// What a family gets and loses.
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
    /// Transactions of those who had them.
    package let taken: [TransactionID]

    package init(gifts: [Gift], taken: [TransactionID]) {
        self.gifts = gifts
        self.taken = taken
    }
}

/// Who has what of whom.
package enum FamilyShareRules {
    /// Whether purchases of a kind are shared, if their product says so. What is used up, or ends
    /// without the store's knowing, never is.
    package static func isShareable(_ kind: ProductKind) -> Bool {
        switch kind {
        case .nonConsumable, .autoRenewable: true
        case .consumable, .nonRenewing: false
        }
    }

    /// What brings a family to what it is now, by what its members own and share.
    ///
    /// What a member bought counts for nothing here: it stays, and what the others share comes
    /// beside it. What is held and not among the purchases stays as well, such as a product's that
    /// may not be shared any more; what ended is not held.
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
