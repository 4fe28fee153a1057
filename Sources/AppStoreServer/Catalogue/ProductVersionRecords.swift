import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreService

extension ReadScope {
    /// A product as devices see it at a moment; nil when they do not see it yet.
    borrowing func shownProduct(
        _ id: ProductID, of app: AppID, at now: Timestamp
    ) throws -> Product? {
        try shown(id, of: app, at: now).product
    }

    /// The same, and whether they see all changes.
    borrowing func shown(
        _ id: ProductID, of app: AppID, at now: Timestamp
    ) throws -> (product: Product?, isSettled: Bool) {
        guard let kept = try productRecord(id, of: app) else { return (nil, true) }
        guard let settled = kept.settlesAt, settled > now else { return (kept.product, true) }
        guard let shown = PropagationRules.shown(among: try versions(of: id, in: app), at: now)
        else { return (nil, false) }
        let body: String? = try value(
            "SELECT body FROM product_version WHERE number = ?1", [shown.number])
        let product = try body.map {
            try JSONDecoder().decode(StoredProduct.self, from: Data($0.utf8)).product()
        }
        return (product, false)
    }

    borrowing func versions(of id: ProductID, in app: AppID) throws -> [PublishedVersion] {
        try rows(
            """
            SELECT number, visible_ms FROM product_version
            WHERE app_id = ?1 AND product_id = ?2 ORDER BY number
            """, [app, id]
        ).map {
            PublishedVersion(
                number: try $0["number"], visibleFrom: try $0["visible_ms"])
        }
    }
}

extension WriteScope {
    /// Changes a product, so that devices see it when the app's delay has passed.
    ///
    /// With a delay, the product as they see it until then is kept as a version; without one, all
    /// changes on their way arrive.
    borrowing func publish(
        _ id: ProductID, of app: AppID, now: Timestamp,
        _ change: (borrowing WriteScope) throws -> Void
    ) throws {
        let delay = try reading.delay(of: app)
        guard delay > 0 else {
            try change(self)
            try deleteVersions(of: id, in: app)
            return try settle(id, of: app, at: nil)
        }
        let before = try reading.product(id, of: app)
        try keepShown(id, of: app, now: now)
        try change(self)
        let after = try reading.product(id, of: app)
        if after == before { return }
        let visible = PropagationRules.visible(afterMilliseconds: delay, now: now)
        try addVersion(after, id, app, from: visible)
        try settle(id, of: app, at: visible)
    }

    borrowing func deleteVersions(of id: ProductID, in app: AppID) throws {
        try execute(
            "DELETE FROM product_version WHERE app_id = ?1 AND product_id = ?2", [app, id])
    }

    /// Lets every change of every product arrive, whatever the clock says.
    borrowing func settleProducts() throws {
        try execute("DELETE FROM product_version")
        try execute("UPDATE product SET settled_ms = NULL")
    }

    /// Makes the product that devices see now the first version, and deletes earlier ones.
    private borrowing func keepShown(_ id: ProductID, of app: AppID, now: Timestamp) throws {
        let versions = try reading.versions(of: id, in: app)
        let shown = PropagationRules.shown(among: versions, at: now)
        let coming = versions.filter { $0.number > shown?.number ?? 0 }
        guard coming.count < PropagationRules.versionsMax else {
            throw Refusal(
                409, "tooManyChanges",
                "\(PropagationRules.versionsMax) changes of \(id) are on their way; wait until "
                    + "they have arrived, or move the world's clock on.")
        }
        guard let shown else {
            return try addVersion(
                try reading.shownProduct(id, of: app, at: now), id, app,
                from: Timestamp(milliseconds: 0))
        }
        try execute(
            "DELETE FROM product_version WHERE app_id = ?1 AND product_id = ?2 AND number < ?3",
            [app, id, shown.number])
        // The clock may be set back as long as nothing was sold; this stays the oldest version.
        try execute(
            "UPDATE product_version SET visible_ms = 0 WHERE number = ?1", [shown.number])
    }

    private borrowing func addVersion(
        _ product: Product?, _ id: ProductID, _ app: AppID, from visible: Timestamp
    ) throws {
        let body = try product.map {
            String(decoding: try JSONEncoder().encode(StoredProduct($0)), as: UTF8.self)
        }
        try insert(
            into: "product_version",
            [
                "number": try next("product_version"), "app_id": app, "product_id": id,
                "visible_ms": visible, "body": body,
            ])
    }

    private borrowing func settle(_ id: ProductID, of app: AppID, at time: Timestamp?) throws {
        try execute(
            "UPDATE product SET settled_ms = ?3 WHERE app_id = ?1 AND product_id = ?2",
            [app, id, time])
    }
}

/// A product as stored in a version, in JSON.
private struct StoredProduct: Codable {
    struct OwnPrice: Codable {
        let storefront: String
        let milliunits: Int64?
        let from: Int64?
    }

    let id: String
    let kind: ProductKind
    let referenceName: String?
    let internalID: String?
    let isFamilyShareable: Bool
    let subscriptionGroup: String?
    let renewalPeriod: RenewalPeriod?
    let groupLevel: Int?
    /// Absent from versions that are older than offers.
    let offers: [StoredOffer]?
    let state: SaleState
    let category: SalesCategory?
    let baseMilliunits: Int64
    let ownPrices: [OwnPrice]
    let texts: [ProductText]

    init(_ product: Product) {
        id = product.id.rawValue
        kind = product.kind
        referenceName = product.referenceName
        internalID = product.internalID
        isFamilyShareable = product.isFamilyShareable
        subscriptionGroup = product.subscriptionGroup
        renewalPeriod = product.renewalPeriod
        groupLevel = product.groupLevel
        offers = product.offers.map { StoredOffer($0) }
        state = product.state
        category = product.category
        baseMilliunits = product.basePrice.milliunits
        ownPrices = product.ownPrices.map {
            OwnPrice(
                storefront: $0.storefront, milliunits: $0.price?.milliunits,
                from: $0.from?.milliseconds)
        }
        texts = product.texts
    }

    func product() throws -> Product {
        Product(
            id: ProductID(id), kind: kind, referenceName: referenceName, internalID: internalID,
            isFamilyShareable: isFamilyShareable, subscriptionGroup: subscriptionGroup,
            renewalPeriod: renewalPeriod, groupLevel: groupLevel,
            offers: try (offers ?? []).map { try $0.offer() }, state: state, category: category,
            basePrice: try Price(stored: baseMilliunits),
            ownPrices: try ownPrices.map {
                DatedPrice(
                    storefront: $0.storefront,
                    price: try $0.milliunits.map { try Price(stored: $0) },
                    from: $0.from.map { Timestamp(milliseconds: $0) })
            }, texts: texts)
    }
}
