import StoreLog
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire

/// Lists products, approves them, takes them off sale and prices them.
enum ProductControl {
    /// `GET /control/v1/apps/{bundleId}/products`
    static func list(
        _ request: HTTPRequest, app bundleID: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let products = try scene.world.database.read { scope in
                try scope.products(of: try scope.knownApp(bundleID).id)
            }
            let body = CatalogueProductsBody(products: products.map { CatalogueProductBody($0) })
            return .json(try WireJSON.encode(body))
        }
    }

    /// `PUT …/products/{productId}/state`
    static func setState(
        _ request: HTTPRequest, app: String, product: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.attempt(responder) {
            let state = try request.decoded(SaleStateBody.self).state
            change(app, product, scene, responder) { scope, app, product in
                try scope.setState(state, of: product.id, in: app)
            }
        }
    }

    /// `PUT …/products/{productId}/prices/{storefront}`
    static func setPrice(
        _ request: HTTPRequest, app: String, product: String, storefront code: String,
        _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let storefront = try storefront(code)
            let price = try request.decoded(PriceBody.self).price.map { try checkedPrice($0) }
            change(app, product, scene, responder) { scope, app, product in
                try scope.setPrice(price, storefront: storefront, of: product.id, in: app)
            }
        }
    }

    static func change(
        _ bundleID: String, _ productID: String, _ scene: Scene, _ responder: Responder,
        _ change: @escaping @Sendable (borrowing WriteScope, AppID, Product) throws -> Void
    ) {
        scene.commit(responder) { scope in
            let app = try scope.reading { try $0.knownApp(bundleID).id }
            let known = try scope.reading { try $0.knownProduct(productID, of: app) }
            try change(scope, app, known)
            return try scope.reading { try $0.knownProduct(productID, of: app) }
        } then: { product in
            scene.log.event(StoreEvent.productChanged, ("product", .text(product.id.rawValue)))
            return .json(try WireJSON.encode(CatalogueProductBody(product)))
        }
    }

    static func checkedPrice(_ text: String) throws -> Price {
        guard let price = Price(decimal: text) else {
            throw Refusal(
                422, "badPrice",
                "\"\(text.prefix(32))\" is no price; write it like 0.99, with at most three places."
            )
        }
        return price
    }
}

extension ReadScope {
    borrowing func knownApp(_ bundleID: String) throws -> AppRow {
        guard let app = try app(bundleID: bundleID) else {
            throw Refusal(404, "appUnknown", "This world has no app \"\(bundleID.prefix(255))\".")
        }
        return app
    }

    borrowing func knownProduct(_ id: String, of app: AppID) throws -> Product {
        guard let product = try product(ProductID(id), of: app) else {
            throw Refusal(404, "productUnknown", "The app has no product \"\(id.prefix(255))\".")
        }
        return product
    }
}

extension CatalogueProductBody {
    init(_ product: Product) {
        self.init(
            productId: product.id.rawValue, kind: product.kind, state: product.state,
            referenceName: product.referenceName, price: product.basePrice.decimal,
            storefrontPrices: product.pricesByStorefront.mapValues(\.decimal))
    }
}
