import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreWire

/// Imports and exports an app's catalogue file, and changes what stands in it.
enum CatalogueControl {
    /// `GET /control/v1/apps/{bundleId}/catalog`: the file, byte for byte.
    static func export(
        _ request: HTTPRequest, app bundleID: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let file = try scene.world.database.read { scope in
                try scope.catalogue(of: try scope.knownApp(bundleID).id) ?? []
            }
            return .json(file)
        }
    }

    /// `PUT /control/v1/apps/{bundleId}/catalog`: a file replaces the one before; one commit.
    static func importFile(
        _ request: HTTPRequest, app: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let bundleID = try checkedBundleID(app)
            let file: CatalogueFile
            do {
                file = try CatalogueFile(bytes: request.body)
            } catch {
                throw Refusal(422, "badCatalogue", "\(error)")
            }
            let now = scene.world.time.now()
            scene.commit(responder) { scope in
                try apply(file, to: bundleID, now: now, scope)
            } then: { body in
                scene.log.event(
                    StoreEvent.catalogueImported, ("app", .text(bundleID)),
                    ("added", .number(Int64(body.added.count))),
                    ("changed", .number(Int64(body.changed.count))),
                    ("removed", .number(Int64(body.removed.count))))
                return .json(try WireJSON.encode(body))
            }
        }
    }

    /// `PUT …/products/{productId}/price`: the price wherever a storefront has none of its own.
    static func setBasePrice(
        _ request: HTTPRequest, app: String, product: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.attempt(responder) {
            guard let text = try request.decoded(PriceBody.self).price else {
                throw Refusal(422, "badPrice", "A base price cannot be taken away.")
            }
            let price = try ProductControl.checkedPrice(text)
            let now = scene.world.time.now()
            ProductControl.change(app, product, scene, responder) { scope, app, product in
                try scope.setBasePrice(price, of: product.id, in: app)
                guard let bytes = try scope.reading({ try $0.catalogue(of: app) }) else { return }
                let file = try CatalogueFile(bytes: bytes)
                try scope.saveCatalogue(
                    try file.updated(withBasePrice: price, for: product.id).bytes, of: app,
                    now: now)
            }
        }
    }

    /// Brings an app's products to what a file says, and keeps the file.
    static func apply(
        _ file: CatalogueFile, to bundleID: String, now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> CatalogueImportBody {
        let app = try scope.saveApp(
            bundleID: bundleID, catalogue: file.bytes, storefront: file.storefront ?? .default,
            now: now)
        let old = try scope.reading { try $0.products(of: app, inFileOnly: true) }
        let difference = CatalogueDifference(from: old, to: file.products)
        for product in difference.added {
            try checkKind(of: product, in: app, scope)
            try scope.saveProduct(product, of: app)
        }
        for change in difference.changed {
            try checkKind(of: change.product, in: app, scope)
            let state = old.first { $0.id == change.product.id }?.state ?? .clearedForSale
            try scope.saveProduct(change.product.with(state: state), of: app)
        }
        for product in difference.removed {
            if try scope.reading({ try $0.wasSold(product.id, of: app) }) {
                try scope.retireProduct(product.id, of: app)
            } else {
                try scope.deleteProduct(product.id, of: app)
            }
        }
        return CatalogueImportBody(difference, keptUnused: file.keptUnused)
    }

    /// What was sold as one kind cannot become another: receipts already say what it is.
    private static func checkKind(
        of product: Product, in app: AppID, _ scope: borrowing WriteScope
    ) throws {
        let known = try scope.reading { try $0.product(product.id, of: app) }
        guard let known, known.kind != product.kind,
            try scope.reading({ try $0.wasSold(product.id, of: app) })
        else { return }
        throw Refusal(
            409, "kindOfSoldProduct",
            "\(product.id) was sold as \(known.kind.rawValue) and cannot become "
                + "\(product.kind.rawValue); give the new product another identifier.")
    }
}

extension Product {
    /// The same product in another state.
    func with(state: SaleState) -> Product {
        Product(
            id: id, kind: kind, referenceName: referenceName,
            isFamilyShareable: isFamilyShareable, subscriptionGroup: subscriptionGroup,
            state: state, basePrice: basePrice, pricesByStorefront: pricesByStorefront,
            texts: texts)
    }
}
