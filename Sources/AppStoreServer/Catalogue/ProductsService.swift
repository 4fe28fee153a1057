import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// What devices are told of products.
enum ProductsService {
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
                for identifier in body.productIdentifiers {
                    let product = try scope.shownProduct(
                        ProductID(identifier), of: session.app, at: now)
                    if let product, product.state == .clearedForSale {
                        products.append(
                            ProductBody(
                                product, content: content[product.id], in: session.storefront,
                                at: now, locale: locale))
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

extension ProductBody {
    init(
        _ product: Product, content: CurrentContent?, in storefront: Storefront,
        at now: Timestamp, locale: String?
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
        subscriptionPeriod = product.renewalPeriod
        introductoryOffer =
            product.offers.first { $0.kind == .introductory }.map { OfferBody($0) }
        let promotional = product.offers.filter { $0.kind == .promotional }
        promotionalOffers = promotional.isEmpty ? nil : promotional.map { OfferBody($0) }
        downloadContentVersion = content?.version
        downloadContentLengths = content.map { [$0.byteCount] }
    }
}
