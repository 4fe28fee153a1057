import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// A world's settings as a shop, and its apps.
enum ShopControl {
    /// `GET /control/v1/shop`
    static func show(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let shop = try scene.world.database.read { try $0.shop() }
            return .json(try WireJSON.encode(ShopBody(shop)))
        }
    }

    /// `PUT /control/v1/shop`; what the body leaves out stays.
    static func set(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(ShopBody.self)
            let delay = try checkedDelay(body.delayMilliseconds)
            scene.commit(responder) { scope in
                let old = try scope.reading { try $0.shop() }
                let new = Shop(
                    newProductsWait: body.newProducts.map { $0 == .waitForReview }
                        ?? old.newProductsWait,
                    delayMilliseconds: delay ?? old.delayMilliseconds)
                try scope.save(new)
                return new
            } then: { shop in
                scene.log.event(
                    StoreEvent.shopChanged,
                    ("delayMilliseconds", .number(shop.delayMilliseconds)))
                return .json(try WireJSON.encode(ShopBody(shop)))
            }
        }
    }

    /// `GET /control/v1/apps`
    static func apps(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let apps = try scene.world.database.read { try $0.apps() }
            return .json(try WireJSON.encode(AppsBody(apps: apps.map { AppBody($0) })))
        }
    }

    /// `PUT /control/v1/apps/{bundleId}/delay`
    static func setDelay(
        _ request: HTTPRequest, app: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let delay = try checkedDelay(try request.decoded(DelayBody.self).milliseconds)
            change(app, scene, responder) { scope, app in
                try scope.setDelay(delay, of: app)
            }
        }
    }

    /// `PUT /control/v1/apps/{bundleId}/developer`
    static func setDeveloper(
        _ request: HTTPRequest, app: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.attempt(responder) {
            let name = try request.decoded(AppDeveloperBody.self).developer
            change(app, scene, responder) { scope, app in
                let developer = try scope.reading { try $0.knownDeveloper(name) }
                try scope.setDeveloper(developer, of: app)
                // Offers of the app are signed in the name of its account.
                if try scope.reading({ try !$0.offerKeys(of: app).isEmpty }) {
                    _ = try scope.neededIssuerID(of: app)
                }
            }
        }
    }

    private static func change(
        _ bundleID: String, _ scene: Scene, _ responder: Responder,
        _ change: @escaping @Sendable (borrowing WriteScope, AppID) throws -> Void
    ) {
        scene.commit(responder) { scope in
            try change(scope, try scope.reading { try $0.knownApp(bundleID).id })
            return try scope.reading { try $0.knownApp(bundleID) }
        } then: { app in
            scene.log.event(StoreEvent.appChanged, ("app", .text(app.bundleID)))
            return .json(try WireJSON.encode(AppBody(app)))
        }
    }

    private static func checkedDelay(_ milliseconds: Int64?) throws -> Int64? {
        let most = PropagationRules.delayMillisecondsMax
        guard milliseconds.map({ (0...most).contains($0) }) ?? true else {
            throw Refusal(422, "badField", "A delay is 0 to \(most) milliseconds (7 days).")
        }
        return milliseconds
    }
}

extension ShopBody {
    init(_ shop: Shop) {
        self.init(
            newProducts: shop.newProductsWait ? .waitForReview : .clearedForSale,
            delayMilliseconds: shop.delayMilliseconds)
    }
}

extension AppBody {
    init(_ app: AppRow) {
        self.init(
            bundleId: app.bundleID, developer: app.developer,
            storefront: app.storefront.countryCode, delayMilliseconds: app.delayMilliseconds,
            gracePeriodDays: app.gracePeriod?.rawValue)
    }
}
