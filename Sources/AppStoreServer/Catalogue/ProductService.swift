import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Lists products and their offers, sorts products into sales categories and sets prices that apply at
/// once.
enum ProductService {
    static func list(_ call: StoreCall, app bundleID: String) throws -> CatalogueProductsBody {
        let now = call.world.time.now()
        let products = try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            var bodies: [CatalogueProductBody] = []
            for product in try scope.products(of: app) {
                bodies.append(try scope.body(of: product, in: app, at: now))
            }
            return bodies
        }
        return CatalogueProductsBody(products: products)
    }

    static func offers(_ call: StoreCall, app bundleID: String) throws -> CatalogueOffersBody {
        let wanted = try call.request.queryValue("product").map {
            try checked($0, "product", bytesMax: Limits.identifierBytesMax)
        }
        let products = try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            let inFile = try scope.products(of: app, inFileOnly: true)
            guard let wanted else { return inFile }
            let id = try scope.knownProduct(wanted, of: app).product.id
            return inFile.filter { $0.product.id == id }
        }
        return CatalogueOffersBody(
            offers: products.map(\.product).flatMap { product in
                product.offers.map { CatalogueOfferBody($0, of: product.id) }
            })
    }

    static func setCategory(_ call: StoreCall, app: String, product: String) async throws
        -> CatalogueProductBody
    {
        let category = try call.request.decoded(CategoryBody.self).category
        return try await change(call, app, product) { scope, app, product, _ in
            try scope.setCategory(category, of: product.id, in: app)
        }
    }

    static func setPrice(
        _ call: StoreCall, _ body: PriceBody, app: String, product: String, storefront code: String
    )
        async throws -> CatalogueProductBody
    {
        let storefront = try storefront(code)
        let price = try body.price.map { try checkedPrice($0, in: storefront.currency) }
        return try await change(call, app, product) { scope, app, product, now in
            let begun = product.ownPrices.filter {
                $0.storefront == code && PriceRules.hasBegun($0, at: now)
            }
            let wanted = price.map { DatedPrice(storefront: code, price: $0, from: nil) }
            if begun == [wanted].compactMap({ $0 }) { return }
            try scope.publish(product.id, of: app, now: now) { scope in
                try scope.setPrice(
                    price, storefront: storefront, of: product.id, in: app, now: now)
            }
        }
    }

    /// Changes a product in one commit and answers with the result.
    static func change(
        _ call: StoreCall, _ bundleID: String, _ productID: String,
        _ change:
            @escaping @Sendable (borrowing WriteScope, AppID, Product, Timestamp) throws -> Void
    ) async throws -> CatalogueProductBody {
        let time = call.world.time
        let body = try await call.context.commit { scope in
            let now = time.now()
            let app = try scope.reading.knownApp(bundleID).id
            let known = try scope.reading.knownProduct(productID, of: app)
            try change(scope, app, known.product, now)
            return try scope.reading.body(
                of: try scope.reading.knownProduct(productID, of: app), in: app, at: now)
        }
        call.log.event(StoreEvent.productChanged, ("product", .text(body.productId)))
        return body
    }

    /// A price in a currency that can express it; 422 otherwise.
    static func checkedPrice(_ text: String, in currency: Currency) throws -> Price {
        let price = try checkedPrice(text)
        try check(price, in: currency)
        return price
    }

    static func check(_ price: Price, in currency: Currency) throws {
        guard !price.unrounded(in: currency).isWhole else { return }
        let least = Money(milliunits: currency.smallestMilliunits, currency: currency)
        throw Refusal(
            422, "badPrice",
            "\(price.decimal) \(currency.code) cannot be paid: a price in that currency is a "
                + "multiple of \(least.decimal).")
    }

    static func checkedPrice(_ text: String) throws -> Price {
        guard let price = Price(decimal: text) else {
            throw Refusal(
                422, "badPrice",
                "\"\(text.prefix(32))\" is not a price; write it like 0.99, with at most three "
                    + "places.")
        }
        return price
    }
}

/// Reports products to devices.
extension ProductService {
    /// `POST /device/v1/products`
    static func products(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let session = try scene.session(request)
            let body = try request.decoded(ProductsRequestBody.self)
            guard body.productIdentifiers.count <= Limits.productIdentifiersMax else {
                throw Refusal(
                    422, "tooMany",
                    "One request may ask for \(Limits.productIdentifiersMax) products.")
            }
            let locale = try body.locale.map {
                try checked($0, "locale", bytesMax: Limits.localeBytesMax)
            }
            let now = scene.world.time.now()
            let answer = try scene.world.database.read { scope in
                let content = try scope.currentContent(of: session.app)
                var products: [ProductBody] = []
                var invalid: [String] = []
                var groups: [String: SubscriptionGroup] = [:]
                for identifier in body.productIdentifiers {
                    let product = try scope.shownProduct(
                        ProductID(identifier), of: session.app, at: now)
                    if let product, product.state == .clearedForSale {
                        let group = product.subscriptionGroup
                        if let group, groups[group] == nil {
                            groups[group] = try scope.subscriptionGroup(group, of: session.app)
                        }
                        products.append(
                            ProductBody(
                                product, group: group.flatMap { groups[$0] },
                                content: content[product.id], in: session.storefront, at: now,
                                locale: locale))
                    } else {
                        invalid.append(identifier)
                    }
                }
                return ProductsAnswerBody(
                    products: products, invalidProductIdentifiers: invalid)
            }
            return .json(try WireJSON.encode(answer))
        }
    }
}

extension ReadScope {
    /// A product as the shop owner sees it.
    borrowing func body(
        of kept: ProductRecord, in app: AppID, at now: Timestamp
    ) throws -> CatalogueProductBody {
        let product = kept.product
        let rejection =
            product.state == .rejected ? try lastReview(of: product.id, in: app) : nil
        return CatalogueProductBody(
            productId: product.id.rawValue, kind: product.kind, state: product.state,
            reason: rejection?.reason, note: rejection?.note, category: product.category,
            referenceName: product.referenceName, subscriptionGroup: product.subscriptionGroup,
            renewalPeriod: product.renewalPeriod, groupLevel: product.groupLevel,
            price: product.basePrice.decimal,
            storefrontPrices: PriceRules.inForce(product.ownPrices, at: now)
                .mapValues(\.decimal),
            settlesAt: kept.settlesAt.flatMap { $0 > now ? $0 : nil })
    }
}

extension ProductBody {
    init(
        _ product: Product, group: SubscriptionGroup?, content: CurrentContent?,
        in storefront: Storefront, at now: Timestamp, locale: String?
    ) {
        let price = PriceRules.price(of: product, in: storefront, at: now)
        let text = product.text(for: locale ?? storefront.locale)
        self.init(
            productId: product.id.rawValue, kind: product.kind,
            localizedTitle: text?.name ?? product.referenceName ?? product.id.rawValue,
            localizedDescription: text?.description ?? "", priceMilliunits: price.milliunits,
            currency: price.currency.code,
            priceLocale: "\(storefront.locale)@currency=\(price.currency.code)",
            isFamilyShareable: product.isFamilyShareable,
            subscriptionGroupIdentifier: product.subscriptionGroup)
        internalId = product.internalID
        subscriptionGroupDisplayName = group?.displayName(for: locale ?? storefront.locale)
        subscriptionGroupLevel = product.groupLevel
        subscriptionPeriod = product.renewalPeriod
        introductoryOffer =
            product.offers.first { $0.kind == .introductory }
            .map { OfferBody($0, in: price.currency) }
        func offers(_ kind: SubscriptionOffer.Kind) -> [OfferBody]? {
            let found = product.offers.filter { $0.kind == kind }
            return found.isEmpty ? nil : found.map { OfferBody($0, in: price.currency) }
        }
        promotionalOffers = offers(.promotional)
        winBackOffers = offers(.winBack)
        downloadContentVersion = content?.version
        downloadContentLengths = content.map { [$0.byteCount] }
    }
}
