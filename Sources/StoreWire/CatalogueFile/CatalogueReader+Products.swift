import StoreModel

/// A product with its place in the file.
struct PlacedProduct {
    let product: Product
    let path: JSONPath
}

/// An array of products, and the types allowed in it.
private struct Shelf {
    let kinds: [String: ProductKind]
    var group: String?

    static let products = Shelf(
        kinds: ["Consumable": .consumable, "NonConsumable": .nonConsumable])
    static let nonRenewing = Shelf(kinds: ["NonRenewingSubscription": .nonRenewing])
    static let recurring = Shelf(kinds: ["RecurringSubscription": .autoRenewable])
    static let allTypes = [products, nonRenewing, recurring].flatMap { $0.kinds.keys.sorted() }

    var typeNames: String { kinds.keys.sorted().joined(separator: " or ") }
}

extension CatalogueReader {
    /// Every product of the file; refuses a duplicate identifier.
    func products() throws(CatalogueFileError) -> [PlacedProduct] {
        let root = document.value
        var found = try products("products", on: .products, of: root, at: .root)
        found += try products("nonRenewingSubscriptions", on: .nonRenewing, of: root, at: .root)
        for (group, path) in try objects("subscriptionGroups", of: root, at: .root) {
            var shelf = Shelf.recurring
            shelf.group = try optionalString("id", of: group, at: path)
            found += try products("subscriptions", on: shelf, of: group, at: path)
        }
        try checkNumber(of: found)
        try checkUnique(found)
        return found
    }

    /// The groups that have an identifier; of two with the same one, the first counts.
    func groups() throws(CatalogueFileError) -> [SubscriptionGroup] {
        var groups: [SubscriptionGroup] = []
        for (group, path) in try objects("subscriptionGroups", of: document.value, at: .root) {
            guard let id = try optionalString("id", of: group, at: path), !id.isEmpty,
                !groups.contains(where: { $0.id == id })
            else { continue }
            groups.append(
                SubscriptionGroup(
                    id: id, referenceName: try optionalString("name", of: group, at: path),
                    texts: try texts(of: group, at: path, owner: "group")))
        }
        return groups
    }

    private func checkNumber(of found: [PlacedProduct]) throws(CatalogueFileError) {
        guard found.count > CatalogueFile.productsMax else { return }
        throw failure(
            "the file has \(found.count) products; the limit is \(CatalogueFile.productsMax)",
            at: found[CatalogueFile.productsMax].path)
    }

    private func checkUnique(_ found: [PlacedProduct]) throws(CatalogueFileError) {
        var places: [ProductID: JSONPath] = [:]
        for placed in found {
            let id = placed.product.id
            guard let first = places.updateValue(placed.path, forKey: id) else { continue }
            throw failure(
                "\(quoted(id.rawValue)) is used twice; the first use is \(first)",
                at: placed.path.appending("productID"))
        }
    }

    private func products(
        _ key: String, on shelf: Shelf, of object: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> [PlacedProduct] {
        var found: [PlacedProduct] = []
        for (item, path) in try objects(key, of: object, at: path) {
            found.append(PlacedProduct(product: try product(item, on: shelf, at: path), path: path))
        }
        return found
    }

    private func product(
        _ item: JSONValue, on shelf: Shelf, at path: JSONPath
    ) throws(CatalogueFileError) -> Product {
        let id = try productID(of: item, at: path)
        let kind = try kind(of: item, on: shelf, at: path)
        let price = try price(of: item, at: path)
        let isRenewed = kind == .autoRenewable
        let period = isRenewed ? try period(of: item, at: path) : nil
        return Product(
            id: id, kind: kind,
            referenceName: try optionalString("referenceName", of: item, at: path),
            internalID: try optionalString("internalID", of: item, at: path),
            isFamilyShareable: try flag("familyShareable", of: item, at: path),
            subscriptionGroup: isRenewed ? try group(of: item, in: shelf.group, at: path) : nil,
            renewalPeriod: period, groupLevel: isRenewed ? try level(of: item, at: path) : nil,
            offers: try period.map { period throws(CatalogueFileError) in
                try offers(of: item, period: period, at: path)
            } ?? [], state: .clearedForSale,
            basePrice: price, texts: try texts(of: item, at: path))
    }

    private func productID(
        of item: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> ProductID {
        let text = try string("productID", of: item, at: path)
        do {
            return try ProductIDSyntax.check(text)
        } catch {
            throw failure(error.message, at: path.appending("productID"))
        }
    }

    private func kind(
        of item: JSONValue, on shelf: Shelf, at path: JSONPath
    ) throws(CatalogueFileError) -> ProductKind {
        let type = try string("type", of: item, at: path)
        if let kind = shelf.kinds[type] { return kind }
        let fault =
            Shelf.allTypes.contains(type)
            ? "\(quoted(type)) does not belong in this array"
            : "\(quoted(type)) is not a known type"
        throw failure("\(fault); expected \(shelf.typeNames)", at: path.appending("type"))
    }

    func price(
        of item: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> Price {
        let text = try string("displayPrice", of: item, at: path)
        guard let price = Price(decimal: text) else {
            throw failure(
                "\(quoted(text)) is not a price; write digits and at most three decimal places,"
                    + " such as \"0.99\", and at most \(Price.milliunitsMax / 1_000)",
                at: path.appending("displayPrice"))
        }
        return price
    }

    private func period(
        of item: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> RenewalPeriod {
        let text = try string("recurringSubscriptionPeriod", of: item, at: path)
        guard let period = RenewalPeriod(rawValue: text) else {
            let known = RenewalPeriod.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure(
                "\(quoted(text)) is not a renewal period; use one of \(known)",
                at: path.appending("recurringSubscriptionPeriod"))
        }
        return period
    }

    /// The rank in the group, 1 for the highest.
    private func level(
        of item: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> Int? {
        guard let value = member("groupNumber", of: item) else { return nil }
        guard let level = value.integer, (1...CatalogueFile.groupLevelMax).contains(level) else {
            throw failure(
                "expected a whole number of 1 to \(CatalogueFile.groupLevelMax)",
                at: path.appending("groupNumber"))
        }
        return Int(level)
    }

    /// The group's identifier, which the subscription repeats in Xcode's files.
    private func group(
        of item: JSONValue, in group: String?, at path: JSONPath
    ) throws(CatalogueFileError) -> String {
        let own = try optionalString("subscriptionGroupID", of: item, at: path)
        guard let id = group ?? own, !id.isEmpty else {
            throw failure(
                "is missing or empty, and the group has no \"id\"",
                at: path.appending("subscriptionGroupID"))
        }
        guard own == nil || own == id else {
            throw failure(
                "\(quoted(own ?? "")) is not the group that contains it, \(quoted(id))",
                at: path.appending("subscriptionGroupID"))
        }
        return id
    }

    /// `owner` is what has them, for a failure.
    private func texts(
        of item: JSONValue, at path: JSONPath, owner: String = "product"
    ) throws(CatalogueFileError) -> [ProductText] {
        var texts: [ProductText] = []
        for (text, path) in try objects("localizations", of: item, at: path) {
            guard texts.count < CatalogueFile.textsMax else {
                throw failure(
                    "a \(owner) has at most \(CatalogueFile.textsMax) localizations", at: path)
            }
            let locale = try string("locale", of: text, at: path)
            guard !texts.contains(where: { $0.locale == locale }) else {
                throw failure(
                    "\(quoted(locale)) appears twice in one \(owner)",
                    at: path.appending("locale"))
            }
            texts.append(
                ProductText(
                    locale: locale,
                    name: try optionalString("displayName", of: text, at: path) ?? "",
                    description: try optionalString("description", of: text, at: path) ?? ""))
        }
        return texts
    }
}
