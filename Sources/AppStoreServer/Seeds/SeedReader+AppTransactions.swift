import StoreModel
import StoreRules
import StoreWire

// When, with which version and how the seed's real accounts got its apps.
extension SeedReader {
    func appTransactions(
        of root: JSONValue, apps: [WorldSeed.App], accounts: Set<String>, until end: Timestamp
    ) throws -> [WorldSeed.GotApp] {
        var found: [WorldSeed.GotApp] = []
        var places: [String: JSONPath] = [:]
        for (item, path) in try objects(
            "appTransactions", of: root, countMax: WorldSeed.accountsMax,
            keys: [
                "account", "bundleId", "originalPurchaseDate", "originalApplicationVersion",
                "originalPlatform", "isVolumePurchase",
            ])
        {
            let account = try required("account", of: item, at: path)
            guard accounts.contains(account) else {
                throw failure(
                    "is not an account of this seed with \"environment\": \"production\"; the "
                        + "sandbox has Apple's constants", at: path.appending("account"))
            }
            let bundleID = try bundleID(of: item, at: path, apps: apps)
            if let first = places.updateValue(path, forKey: "\(account)\n\(bundleID)") {
                throw failure("has the app already, at \(first)", at: path.appending("account"))
            }
            found.append(
                WorldSeed.GotApp(
                    account: account, bundleID: bundleID,
                    purchasedAt: try purchaseDate(of: item, at: path, until: end),
                    version: try checking(path.appending("originalApplicationVersion")) {
                        try checked(
                            try required("originalApplicationVersion", of: item, at: path), "it",
                            bytesMax: Limits.appVersionBytesMax)
                    },
                    platform: try platform(of: item, at: path),
                    isVolumePurchase: try flag("isVolumePurchase", of: item, at: path) ?? false))
        }
        return found
    }

    private func purchaseDate(
        of item: JSONValue, at path: JSONPath, until end: Timestamp
    ) throws -> Timestamp {
        let place = path.appending("originalPurchaseDate")
        guard let date = try time("originalPurchaseDate", of: item, at: path) else {
            throw failure("is missing", at: place)
        }
        guard WorldClock.range.contains(date), date <= end else {
            throw failure(
                "is not in the years from 2000 on, up to \(CalendarDate(end).rfc3339), the world's "
                    + "time", at: place)
        }
        return date
    }

    private func platform(
        of item: JSONValue, at path: JSONPath
    ) throws -> AppTransaction.Platform {
        guard let name = try text("originalPlatform", of: item, at: path) else { return .iOS }
        guard let platform = AppTransaction.Platform(rawValue: name) else {
            let known = AppTransaction.Platform.allCases.map(\.rawValue)
            throw failure(
                "is not \(known.joined(separator: ", "))", at: path.appending("originalPlatform"))
        }
        return platform
    }
}
