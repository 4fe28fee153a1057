import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Storefronts' own prices with dates: lists, adds and cancels them.
enum PriceService {
    static func list(_ call: StoreCall, app bundleID: String, product: String) throws -> PricesBody
    {
        let now = call.world.time.now()
        return try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            let kept = try scope.knownProduct(product, of: app)
            let entries = try scope.priceEntries(
                of: kept.product.id, in: app, countMax: Limits.priceEntriesPerAnswerMax)
            return PricesBody(
                basePrice: kept.product.basePrice.decimal,
                prices: try entries.map {
                    try PriceEntryBody($0, among: kept.product.ownPrices, now: now)
                })
        }
    }

    /// `POST …/products/{productId}/price-schedule`: 201, or 200 when the very same entry is
    /// scheduled.
    static func add(_ call: StoreCall, _ body: AddPriceBody, app: String, product: String)
        async throws -> HTTPResponse
    {
        let storefront = try storefront(body.storefront)
        let price = DatedPrice(
            storefront: storefront.countryCode,
            price: try body.price.map {
                try ProductService.checkedPrice($0, in: storefront.currency)
            },
            from: body.from)
        return try await commit(call, app, product) { scope, app, product, now in
            let addition = try PriceRules.add(price, to: product.ownPrices, now: now)
            if addition == .new {
                try scope.publish(product.id, of: app, now: now) { scope in
                    try scope.addPrice(price, of: product.id, in: app, now: now)
                }
            }
            let entries = try scope.reading.priceEntries(
                of: product.id, in: app, countMax: Limits.priceEntriesPerAnswerMax)
            let entry = entries.last { $0.price == price && $0.ended == nil }
            return (entry, addition == .new ? 201 : 200)
        }
    }

    /// `DELETE …/products/{productId}/price-schedule/{number}`; a repeated request gets the same
    /// answer.
    static func cancel(_ call: StoreCall, app: String, product: String, number: String) async throws
        -> HTTPResponse
    {
        try await commit(call, app, product) { scope, app, product, now in
            let entry = try Int64(number).flatMap {
                try scope.reading.priceEntry($0, of: product.id, in: app)
            }
            guard let entry else {
                throw Refusal(
                    404, "priceUnknown",
                    "\(product.id) has no price entry \"\(number.prefix(32))\".")
            }
            if entry.ended != .cancelled {
                if entry.ended == .replaced { throw PriceRules.Refusal.begun }
                try PriceRules.checkCancelling(entry.price, now: now)
                try scope.publish(product.id, of: app, now: now) { scope in
                    try scope.cancelPrice(entry.number)
                }
            }
            return (
                try scope.reading.priceEntry(entry.number, of: product.id, in: app), 200
            )
        }
    }

    /// Changes a product's prices in one commit and returns the affected entry.
    private static func commit(
        _ call: StoreCall, _ bundleID: String, _ productID: String,
        _ change:
            @escaping @Sendable (borrowing WriteScope, AppID, Product, Timestamp) throws -> (
                PriceEntry?, Int
            )
    ) async throws -> HTTPResponse {
        let time = call.world.time
        let (body, status) = try await call.context.commit { scope in
            let now = time.now()
            let app = try scope.reading.knownApp(bundleID).id
            let product = try scope.reading.knownProduct(productID, of: app).product
            do {
                let (entry, status) = try change(scope, app, product, now)
                guard let entry else {
                    throw DatabaseError(code: .other, detail: "a price entry was not kept")
                }
                let prices = try scope.reading.ownPrices(of: product.id, in: app)
                return (try PriceEntryBody(entry, among: prices, now: now), status)
            } catch let refusal as PriceRules.Refusal {
                throw Refusal(refusal)
            }
        }
        call.log.event(StoreEvent.productChanged, ("product", .text(productID)))
        return try .json(encoding: body, status: status)
    }
}

extension PriceEntryBody {
    init(_ entry: PriceEntry, among prices: [DatedPrice], now: Timestamp) throws {
        let storefront = try Storefront(stored: entry.price.storefront)
        let state: State =
            switch entry.ended {
            case .cancelled: .cancelled
            case .replaced: .replaced
            case nil where !PriceRules.hasBegun(entry.price, at: now): .coming
            case nil:
                PriceRules.inForce(prices, in: storefront.countryCode, at: now) == entry.price
                    ? .inForce : .past
            }
        self.init(
            number: entry.number, storefront: storefront.countryCode,
            currency: storefront.currency.code, price: entry.price.price?.decimal,
            from: entry.price.from, addedAt: entry.addedAt, state: state)
    }
}

extension Refusal {
    init(_ refusal: PriceRules.Refusal) {
        switch refusal {
        case .dateIsOver(let now):
            self.init(
                422, "dateIsOver",
                "The world's clock shows \(CalendarDate(now).rfc3339): give a later date, or none "
                    + "for a price that begins at once.")
        case .dateOutOfRange:
            self.init(422, "dateOutOfRange", "A price must begin in the years 2000 to 2099.")
        case .dateTaken:
            self.init(
                409, "dateTaken",
                "Another price of that storefront begins at that moment; cancel it first.")
        case .tooMany:
            self.init(
                409, "tooManyPrices",
                "A product has at most \(PriceRules.ownPricesMax) prices in use; cancel scheduled "
                    + "ones, or set one at once, which replaces past ones.")
        case .begun:
            self.init(
                409, "priceHasBegun",
                "This price is or was already in force; set another one instead.")
        }
    }
}
