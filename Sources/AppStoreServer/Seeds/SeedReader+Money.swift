import StoreModel
import StoreRules
import StoreService
import StoreWire

// Prices and credit.
extension SeedReader {
    /// Storefronts' own prices of an app's products.
    func prices(
        of app: JSONValue, at path: JSONPath, products: Set<ProductID>, until end: Timestamp
    ) throws -> [WorldSeed.OwnPrice] {
        try objects(
            "prices", of: app, at: path, countMax: WorldSeed.pricesMax,
            keys: ["productId", "storefront", "price", "from"]
        ).map { item, path in
            let product = ProductID(try required("productId", of: item, at: path))
            guard products.contains(product) else {
                throw failure("is not a product of this app", at: path.appending("productId"))
            }
            let country = try required("storefront", of: item, at: path)
            let place = try checking(path.appending("storefront")) { try storefront(country) }
            let from = try time("from", of: item, at: path)
            if let from, from <= end {
                throw failure(
                    "is not after \(CalendarDate(end).rfc3339), the world's time; leave it out for "
                        + "a price from the beginning", at: path.appending("from"))
            }
            let price = try text("price", of: item, at: path).map { text in
                try checking(path.appending("price")) {
                    try ProductService.checkedPrice(text, in: place.currency)
                }
            }
            guard price != nil || from != nil else {
                throw failure(
                    "is missing; only a price with \"from\" may be null, which ends the "
                        + "storefront's own", at: path.appending("price"))
            }
            return WorldSeed.OwnPrice(
                product: product,
                price: DatedPrice(storefront: place.countryCode, price: price, from: from),
                place: path)
        }
    }

    /// An account's credit, in thousandths; 0 without any.
    func credit(
        of account: JSONValue, at path: JSONPath, in currency: Currency
    ) throws -> Int64 {
        guard let text = try text("credit", of: account, at: path) else { return 0 }
        let place = path.appending("credit")
        let amount = try checking(place) { try ProductService.checkedPrice(text, in: currency) }
        guard (1...CreditRules.amountMilliunitsMax).contains(amount.milliunits) else {
            throw failure("is not an amount that an account can be given", at: place)
        }
        return amount.milliunits
    }
}
