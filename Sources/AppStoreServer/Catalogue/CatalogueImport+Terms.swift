import StoreDatabase
import StoreModel
import StoreService

extension CatalogueImport {
    /// A sold subscription keeps its period and its group: its subscribers agreed to the period,
    /// and have one subscription in the group. While changes take time, it could still be sold as
    /// before.
    func checkTerms(
        of product: Product, in app: AppID, _ scope: borrowing WriteScope
    ) throws {
        let known = try scope.reading.product(product.id, of: app)
        guard let known, let change = known.changedTerms(in: product) else { return }
        let mayBeSold =
            try scope.reading.wasSold(product.id, of: app) || scope.reading.delay(of: app) > 0
        guard mayBeSold else { return }
        throw Refusal(
            409, "termsOfSoldProduct",
            "\(product.id) was sold, or may be until the change arrives: its \(change.field) "
                + "cannot change from \(change.old) to \(change.new); give the new product another "
                + "identifier. Nothing was imported.")
    }
}

extension Product {
    /// The term of a subscription that a new version changes, by its name in a file.
    fileprivate func changedTerms(
        in new: Product
    ) -> (field: String, old: String, new: String)? {
        guard kind == .autoRenewable, new.kind == .autoRenewable else { return nil }
        if subscriptionGroup != new.subscriptionGroup {
            return (
                "subscriptionGroupID", subscriptionGroup ?? "none", new.subscriptionGroup ?? "none"
            )
        }
        guard renewalPeriod != new.renewalPeriod else { return nil }
        return (
            "recurringSubscriptionPeriod", renewalPeriod?.rawValue ?? "none",
            new.renewalPeriod?.rawValue ?? "none"
        )
    }
}
