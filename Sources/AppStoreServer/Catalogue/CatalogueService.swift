import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Imports and exports an app's catalogue file, and changes its base prices.
enum CatalogueService {
    /// `GET /control/v1/apps/{bundleId}/catalog`: the file, byte for byte.
    static func export(_ call: StoreCall, app bundleID: String) throws -> HTTPResponse {
        let file = try call.world.database.read { scope in
            try scope.catalogue(of: try scope.knownApp(bundleID).id) ?? []
        }
        return .json(file)
    }

    /// `PUT /control/v1/apps/{bundleId}/catalog`: a file replaces the previous one, in one commit.
    static func importFile(_ call: StoreCall, app: String) async throws -> CatalogueImportBody {
        let bundleID = try checkedBundleID(app)
        let file = try read(call.request.body)
        let time = call.world.time
        let body = try await call.context.commit { scope in
            try CatalogueImport(file: file, now: time.now(), realNow: time.real())
                .apply(to: bundleID, scope)
        }
        call.log.event(
            StoreEvent.catalogueImported, ("app", .text(bundleID)),
            ("added", .number(Int64(body.added.count))),
            ("changed", .number(Int64(body.changed.count))),
            ("removed", .number(Int64(body.removed.count))))
        return body
    }

    /// `PUT …/products/{productId}/price`: the price for storefronts without one of their own.
    static func setBasePrice(
        _ call: StoreCall, _ body: PriceBody, app bundleID: String, product: String
    ) async throws
        -> CatalogueProductBody
    {
        guard let text = body.price else {
            throw Refusal(422, "badPrice", "A base price cannot be removed; give a price.")
        }
        return try await ProductService.change(call, bundleID, product) {
            scope, app, product, now in
            let currency = try scope.reading.knownApp(bundleID).storefront.currency
            let price = try ProductService.checkedPrice(text, in: currency)
            try scope.publish(product.id, of: app, now: now) { scope in
                try scope.setBasePrice(price, of: product.id, in: app)
            }
            guard let bytes = try scope.reading.catalogue(of: app) else { return }
            let file = try read(bytes)
            try scope.saveCatalogue(
                try file.updated(withBasePrice: price, for: product.id).bytes, of: app,
                now: now)
        }
    }

    private static func read(_ bytes: [UInt8]) throws -> CatalogueFile {
        do {
            return try CatalogueFile(bytes: bytes)
        } catch {
            throw Refusal(422, "badCatalogue", "\(error)")
        }
    }
}
