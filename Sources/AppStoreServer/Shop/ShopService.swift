import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// A world's settings as a shop, and its apps.
enum ShopService {
    static func show(_ call: StoreCall) throws -> ShopBody {
        let shop = try call.world.database.read { try $0.shop() }
        return ShopBody(shop)
    }

    /// `PUT /control/v1/shop`; absent members leave their settings as they are.
    static func set(_ call: StoreCall, _ body: ShopBody) async throws -> ShopBody {
        let delay = try checkedDelay(body.delayMilliseconds)
        let shop = try await call.context.commit { scope in
            let old = try scope.reading.shop()
            let new = Shop(
                newProductsWait: body.newProducts.map { $0 == .waitForReview }
                    ?? old.newProductsWait,
                delayMilliseconds: delay ?? old.delayMilliseconds)
            try scope.save(new)
            return new
        }
        call.log.event(
            StoreEvent.shopChanged,
            ("delayMilliseconds", .number(shop.delayMilliseconds)))
        return ShopBody(shop)
    }

    static func apps(_ call: StoreCall) throws -> AppsBody {
        let apps = try call.world.database.read { try $0.apps() }
        return AppsBody(apps: apps.map { AppBody($0) })
    }

    static func setDelay(_ call: StoreCall, _ body: DelayBody, app: String) async throws -> AppBody
    {
        let delay = try checkedDelay(body.milliseconds)
        return try await change(call, app) { scope, app in
            try scope.setDelay(delay, of: app)
        }
    }

    /// `PUT /control/v1/apps/{bundleId}/number`; a repeated request gets the same answer.
    static func setNumber(_ call: StoreCall, _ body: AppNumberBody, app: String) async throws
        -> AppBody
    {
        guard let number = AppNumber(body.appAppleId) else {
            let range = AppNumber.range
            throw Refusal(
                422, "badField",
                "appAppleId must be \(range.lowerBound) to \(range.upperBound).")
        }
        return try await change(call, app) { scope, id in
            for other in try scope.reading.apps() {
                if other.id == id {
                    try scope.setNumber(number, of: other)
                } else if other.number == number {
                    throw Refusal(
                        409, "appNumberTaken", "\(other.bundleID) has that number.")
                }
            }
        }
    }

    static func setDeveloper(_ call: StoreCall, _ body: AppDeveloperBody, app: String) async throws
        -> AppBody
    {
        let name = body.developer
        return try await change(call, app) { scope, app in
            let developer = try scope.reading.knownDeveloper(name)
            try scope.setDeveloper(developer, of: app)
            // Offers of the app are signed in the name of its account.
            if try !scope.reading.offerKeys(of: app).isEmpty {
                _ = try scope.neededIssuerID(of: app)
            }
        }
    }

    private static func change(
        _ call: StoreCall, _ bundleID: String,
        _ change: @escaping @Sendable (borrowing WriteScope, AppID) throws -> Void
    ) async throws -> AppBody {
        let app = try await call.context.commit { scope in
            try change(scope, try scope.reading.knownApp(bundleID).id)
            return try scope.reading.knownApp(bundleID)
        }
        call.log.event(StoreEvent.appChanged, ("app", .text(app.bundleID)))
        return AppBody(app)
    }

    private static func checkedDelay(_ milliseconds: Int64?) throws -> Int64? {
        let most = PropagationRules.delayMillisecondsMax
        guard milliseconds.map({ (0...most).contains($0) }) ?? true else {
            throw Refusal(422, "badField", "A delay must be 0 to \(most) milliseconds (7 days).")
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
            bundleId: app.bundleID, appAppleId: app.number.rawValue, developer: app.developer,
            storefront: app.storefront.countryCode, delayMilliseconds: app.delayMilliseconds,
            gracePeriodDays: app.gracePeriod?.rawValue)
    }
}
