import Foundation
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification
import StoreWire

// Apps with their catalogues, and the purchases of their products.
extension SeedReader {
    func apps(of root: JSONValue, until end: Timestamp) throws -> [WorldSeed.App] {
        var apps: [WorldSeed.App] = []
        var places: [String: JSONPath] = [:]
        for (item, path) in try objects(
            "apps", of: root, countMax: WorldSeed.appsMax,
            keys: ["bundleId", "catalogue", "gracePeriodDays", "sharedSecret", "prices"])
        {
            let place = path.appending("bundleId")
            let bundleID = try checking(place) {
                try checkedBundleID(try required("bundleId", of: item, at: path))
            }
            if let first = places.updateValue(path, forKey: bundleID) {
                throw failure("is taken by \(first)", at: place)
            }
            let catalogue = try catalogue(of: item, at: path)
            apps.append(
                WorldSeed.App(
                    bundleID: bundleID, catalogue: catalogue,
                    gracePeriod: try gracePeriod(of: item, at: path),
                    sharedSecret: try sharedSecret(of: item, at: path),
                    prices: try prices(
                        of: item, at: path, products: Set(catalogue.products.map(\.id)),
                        until: end)))
        }
        return apps
    }

    private func gracePeriod(of item: JSONValue, at path: JSONPath) throws -> GracePeriod? {
        guard let days = try integer("gracePeriodDays", of: item, at: path) else { return nil }
        guard let period = Int(exactly: days).flatMap(GracePeriod.init) else {
            throw failure("is not 3, 16 or 28", at: path.appending("gracePeriodDays"))
        }
        return period
    }

    private func sharedSecret(of item: JSONValue, at path: JSONPath) throws -> String? {
        guard let secret = try text("sharedSecret", of: item, at: path) else { return nil }
        guard secret.wholeMatch(of: /[0-9a-f]{32}/) != nil else {
            throw failure(
                "is not 32 lowercase hexadecimal digits",
                at: path.appending("sharedSecret"))
        }
        return secret
    }

    /// An object is a catalogue as Xcode has it; a string is the text of such a file.
    private func catalogue(of item: JSONValue, at path: JSONPath) throws -> CatalogueFile {
        let place = path.appending("catalogue")
        switch member("catalogue", of: item) {
        case .object?:
            do {
                return try CatalogueFile(document: item["catalogue"] ?? .null)
            } catch {
                let steps = error.path?.steps ?? []
                throw failure(error.message, at: JSONPath(steps: place.steps + steps))
            }
        case .string(let text)?:
            guard text.first(where: { !$0.isWhitespace }) == "{" else {
                throw failure(
                    "is the path of a file, which the store does not read; \"bodega world seed\" "
                        + "puts the file's text here", at: place)
            }
            do {
                return try CatalogueFile(bytes: Array(text.utf8))
            } catch {
                throw failure("the catalogue's \(error)", at: place)
            }
        case let other:
            throw failure(
                other.map { "expected an object or a text, found \($0.kindName)" } ?? "is missing",
                at: place)
        }
    }

    func purchases(
        of root: JSONValue, apps: [WorldSeed.App], accounts: Set<String>, until end: Timestamp
    ) throws -> [WorldSeed.Purchase] {
        var purchases: [WorldSeed.Purchase] = []
        let products = Dictionary(
            uniqueKeysWithValues: apps.map { ($0.bundleID, Set($0.catalogue.products.map(\.id))) })
        for (item, path) in try objects(
            "purchases", of: root, countMax: WorldSeed.purchasesMax,
            keys: [
                "account", "bundleId", "productId", "quantity", "at", "finished", "device",
                "applicationUsername", "autoRenews", "failsBilling", "refunded",
            ])
        {
            let account = try required("account", of: item, at: path)
            guard accounts.contains(account) else {
                throw failure("is not a test account of this seed", at: path.appending("account"))
            }
            let bundleID = try bundleID(of: item, at: path, apps: apps)
            let at = try purchaseTime(of: item, at: path, from: purchases.last?.at, until: end)
            let request = try request(item, number: purchases.count, at: path)
            guard products[bundleID]?.contains(request.product) == true else {
                throw failure(
                    "is not a product of \(bundleID)", at: path.appending("productId"))
            }
            purchases.append(
                WorldSeed.Purchase(
                    account: account, bundleID: bundleID, request: request,
                    guid: try guid(of: item, at: path, account: account, bundleID: bundleID),
                    at: at, isFinished: try flag("finished", of: item, at: path) ?? true,
                    changes: [
                        try flag("autoRenews", of: item, at: path).map { .setAutoRenew($0) },
                        try flag("failsBilling", of: item, at: path).map { .setFailsBilling($0) },
                    ].compactMap { $0 },
                    isRefunded: try flag("refunded", of: item, at: path) ?? false, place: path))
        }
        return purchases
    }

    /// The only app need not be named.
    func bundleID(
        of item: JSONValue, at path: JSONPath, apps: [WorldSeed.App]
    ) throws -> String {
        if let only = apps.first, apps.count == 1, member("bundleId", of: item) == nil {
            return only.bundleID
        }
        let bundleID = try required("bundleId", of: item, at: path)
        guard apps.contains(where: { $0.bundleID == bundleID }) else {
            throw failure("is not an app of this seed", at: path.appending("bundleId"))
        }
        return bundleID
    }

    private func purchaseTime(
        of item: JSONValue, at path: JSONPath, from last: Timestamp?, until end: Timestamp
    ) throws -> Timestamp {
        let place = path.appending("at")
        guard let at = try time("at", of: item, at: path) else {
            throw failure("is missing", at: place)
        }
        if let last, at < last {
            throw failure(
                "is before the previous purchase; write purchases in order of time", at: place)
        }
        guard at <= end else {
            throw failure("is after \(CalendarDate(end).rfc3339), the world's time", at: place)
        }
        return at
    }

    private func request(_ item: JSONValue, number: Int, at path: JSONPath) throws
        -> PurchaseRequest
    {
        let quantity = try integer("quantity", of: item, at: path) ?? 1
        guard (1...Int64(PurchaseRules.quantityMax)).contains(quantity) else {
            throw failure(
                "is not 1 to \(PurchaseRules.quantityMax)", at: path.appending("quantity"))
        }
        let product = try checking(path.appending("productId")) {
            try checked(
                try required("productId", of: item, at: path), "it",
                bytesMax: Limits.identifierBytesMax)
        }
        let username = try text("applicationUsername", of: item, at: path)
        return try checking(path.appending("applicationUsername")) {
            try PurchaseRequest(
                AttemptRequestBody(
                    attemptId: Self.uuid(from: "attempt/\(number)"), productId: product,
                    quantity: Int(quantity), applicationUsername: username))
        }
    }

    /// The device's own identifier; without one, each account has one device in each app.
    private func guid(
        of item: JSONValue, at path: JSONPath, account: String, bundleID: String
    ) throws -> String {
        guard let text = try text("device", of: item, at: path) else {
            return Self.device(of: account, in: bundleID)
        }
        return try checking(path.appending("device")) { try checkedUUID(text, "it") }
    }

    static func device(of account: String, in bundleID: String) -> String {
        uuid(from: "device/\(bundleID)/\(account)")
    }

    /// The UUID that always belongs to a text.
    static func uuid(from text: String) -> String {
        makeUUID(Array(sha256(Array("bodega seed/\(text)".utf8)).prefix(16)))
    }
}
