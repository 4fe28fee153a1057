package import StoreModel

/// What a restore gives back.
package enum RestoreRules {
    /// Which of these purchases of an account come back, in their order.
    ///
    /// Only what its app has finished does; what waits in the queue is delivered anyway. A
    /// non-consumable that was bought again counts as its original and comes back once; of a
    /// subscription every period does. With a user name of the app, only what was bought under
    /// that name; of a UUID the case of its letters does not matter. `given` are the originals of the non-consumables that this restore gave back
    /// before.
    package static func restored(
        _ purchases: [StoreTransaction], for applicationUsername: String?,
        given: Set<TransactionID>
    ) -> [StoreTransaction] {
        var given = given
        return purchases.filter { purchase in
            guard isRestorable(purchase) else { return false }
            if let wanted = applicationUsername {
                guard let name = purchase.applicationUsername,
                    AppAccountToken.areSame(name, wanted)
                else { return false }
            }
            return purchase.kind != .nonConsumable || given.insert(purchase.original).inserted
        }
    }

    private static func isRestorable(_ purchase: StoreTransaction) -> Bool {
        guard purchase.finishedAt != nil, purchase.restoration == nil else { return false }
        return switch purchase.kind {
        case .nonConsumable, .autoRenewable: true
        case .consumable, .nonRenewing: false
        }
    }
}
