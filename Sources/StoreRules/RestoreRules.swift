package import StoreModel

/// The purchases that a restore returns.
package enum RestoreRules {
    /// The purchases of an account that are restored, in their order.
    ///
    /// Only purchases that the app has finished are restored; those in the queue are delivered
    /// anyway. A non-consumable that was bought again counts as its original and is restored once;
    /// of a subscription, every period is. With a user name, only purchases under that name are;
    /// the case of a UUID's letters is ignored. `given` are the originals of the non-consumables
    /// that this restore has already returned.
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
