import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// A catalogue file on its way into an app's catalogue, in one commit.
struct CatalogueImport: Sendable {
    let file: CatalogueFile
    /// By the world's clock.
    let now: Timestamp
    let realNow: Timestamp

    /// Adds, changes and takes off sale; review decisions stand.
    func apply(
        to bundleID: String, _ scope: borrowing WriteScope
    ) throws -> CatalogueImportBody {
        let storefront = file.storefront ?? .default
        let app = try scope.saveApp(
            bundleID: bundleID, catalogue: file.bytes, number: file.appNumber,
            storefront: storefront, now: now)
        try scope.save(file.groups, of: app)
        let old = try scope.reading.products(of: app, inFileOnly: true)
        let difference = CatalogueDifference(from: old.map(\.product), to: file.products)
        for product in difference.added { try add(product, to: app, scope) }
        for change in difference.changed {
            let id = change.product.id
            let state = old.first { $0.product.id == id }?.product.state
            try save(change.product, in: state ?? .clearedForSale, of: app, scope)
        }
        for product in difference.removed { try remove(product, from: app, scope) }
        return CatalogueImportBody(
            difference, keptUnused: try takeOfferKey(into: app, bundleID: bundleID, scope),
            rounded: CatalogueImportBody.RoundedPrice.all(
                of: file.products, in: storefront.currency))
    }

    /// A product that the previous file did not have: a new one, or one that returns. A return puts
    /// it on sale again, but does not override a review.
    private func add(
        _ product: Product, to app: AppID, _ scope: borrowing WriteScope
    ) throws {
        guard let known = try scope.reading.product(product.id, of: app) else {
            let waits = try scope.reading.shop().newProductsWait
            let state = ReviewRules.stateOfNewProduct(waitsForReview: waits)
            return try save(product, in: state, of: app, noting: .registered, scope)
        }
        guard known.state == .removedFromSale else {
            return try save(product, in: known.state, of: app, scope)
        }
        let state = try ReviewRules.after(.relisted, in: known.state)
        try save(product, in: state, of: app, noting: .relisted, scope)
    }

    private func save(
        _ product: Product, in state: SaleState, of app: AppID, noting step: ReviewStep? = nil,
        _ scope: borrowing WriteScope
    ) throws {
        try checkKind(of: product, in: app, scope)
        try checkTerms(of: product, in: app, scope)
        try scope.publish(product.id, of: app, now: now) { scope in
            try scope.saveProduct(product.with(state: state), of: app)
            guard let step else { return }
            try scope.addReview(step, of: product.id, in: app, to: state, now: now)
        }
    }

    /// A product that the file no longer has is deleted, unless something refers to it: a purchase,
    /// a device that still sees it for a while, or a review that did not approve it.
    private func remove(
        _ product: Product, from app: AppID, _ scope: borrowing WriteScope
    ) throws {
        let isKept =
            try scope.reading.wasSold(product.id, of: app) || scope.reading.delay(of: app) > 0
            || !product.state.isKnownToDevices
        guard isKept else { return try scope.deleteProduct(product.id, of: app) }
        try scope.publish(product.id, of: app, now: now) { scope in
            try scope.retireProduct(product.id, of: app)
            guard product.state == .clearedForSale else { return }
            let state = try ReviewRules.after(.removed, in: product.state)
            try scope.setState(state, of: product.id, in: app)
            try scope.addReview(.removed, of: product.id, in: app, to: state, now: now)
        }
    }

    /// A sold product cannot change its kind, which is already in receipts. While changes take
    /// time, it could still be sold as the old kind.
    private func checkKind(
        of product: Product, in app: AppID, _ scope: borrowing WriteScope
    ) throws {
        let known = try scope.reading.product(product.id, of: app)
        guard let known, known.kind != product.kind else { return }
        if try scope.reading.wasSold(product.id, of: app) {
            throw Refusal(
                409, "kindOfSoldProduct",
                "\(product.id) was sold as \(known.kind.rawValue) and cannot become "
                    + "\(product.kind.rawValue); give the new product another identifier.")
        }
        if try scope.reading.delay(of: app) > 0 {
            throw Refusal(
                409, "kindNeedsNoDelay",
                "\(product.id) is \(known.kind.rawValue) for devices until the change arrives, and "
                    + "could be sold as that; set the delay to 0 to make it "
                    + "\(product.kind.rawValue).")
        }
    }
}

extension Product {
    /// The same product in another state.
    func with(state: SaleState) -> Product {
        Product(
            id: id, kind: kind, referenceName: referenceName, internalID: internalID,
            isFamilyShareable: isFamilyShareable, subscriptionGroup: subscriptionGroup,
            renewalPeriod: renewalPeriod, groupLevel: groupLevel, offers: offers, state: state,
            category: category, basePrice: basePrice, ownPrices: ownPrices, texts: texts)
    }
}
