import StoreDatabase
import StoreModel
import StoreRules

/// The next renewal of a subscription, by the catalogue of a moment.
struct NextRenewal: Sendable {
    /// Nil when it does not renew.
    let price: Money?
    /// The win-back offers that the customer may have, in the order of the catalogue.
    let winBacks: [SubscriptionOffer]

    /// A family member sees neither, which are for the one who pays.
    static let ofFamilyMember = NextRenewal(price: nil, winBacks: [])
}

extension SubscriptionRecord {
    /// The price of the next renewal, for which `product` is for sale in the storefront of the
    /// customer; nil when it does not renew.
    func nextPrice(_ product: Product?, in storefront: Storefront, at now: Timestamp) -> Money? {
        guard state.isAutoRenewing else { return nil }
        guard let product, product.state == .clearedForSale,
            let plan = SubscriptionPlan(product, in: storefront, at: now)
        else {
            return state.productToRenew == state.product
                ? state.increase?.price ?? state.price : nil
        }
        return RenewalRules.nextAmount(of: state, plan)
    }
}

// The next renewal, and the extensions that moved it.
extension ReadScope {
    borrowing func nextRenewal(
        of kept: SubscriptionRecord, at now: Timestamp
    ) throws -> NextRenewal {
        NextRenewal(price: try renewalPrice(of: kept, at: now), winBacks: try winBacks(of: kept))
    }

    /// The price of the next renewal; nil when it does not renew.
    borrowing func renewalPrice(
        of kept: SubscriptionRecord, at now: Timestamp
    ) throws -> Money? {
        guard kept.state.isAutoRenewing else { return nil }
        return kept.nextPrice(
            try shownProduct(kept.state.productToRenew, of: kept.app, at: now),
            in: try settling(kept).storefront, at: now)
    }

    /// The win-back offers that the customer may have now, in the order of the catalogue.
    borrowing func winBacks(of kept: SubscriptionRecord) throws -> [SubscriptionOffer] {
        guard SubscriptionPurchaseRules.isGone(kept.state) else { return [] }
        let product = try product(kept.state.product, of: kept.app)
        return SubscriptionPurchaseRules.winBacks(
            of: product?.state == .clearedForSale ? product?.offers ?? [] : [], kept.state)
    }

    /// All extensions of a subscription, each with the identifier of the app's server's request,
    /// nil for one by the owner.
    borrowing func extensions(
        of kept: SubscriptionRecord
    ) throws -> [(request: String?, at: Timestamp)] {
        try rows(
            """
            SELECT subject, at_ms FROM event
            JOIN store_transaction ON store_transaction.id = transaction_id
            WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.kind = ?3
                AND original_id = ?4
            """, [kept.account, kept.app, Event.Kind.extended, kept.original]
        ).map { (try $0["subject"], try $0["at_ms"]) }
    }
}
