import StoreModel

/// Finds the parts of a catalogue file that have no effect yet.
enum UnusedParts {
    /// Names in the order of the file, each once.
    static func names(in root: JSONValue) -> [String] {
        var finder = Finder()
        finder.walk(root, used: Self.root, at: "")
        let max = CatalogueFile.keptUnusedMax
        guard finder.names.count > max else { return finder.names }
        return finder.names.prefix(max) + ["and \(finder.names.count - max) more"]
    }

    /// The used parts of an object: keys read as they are, and arrays or objects to descend into.
    private struct Used {
        var keys: Set<String> = []
        var parts: [(key: String, used: Used)] = []
    }

    private static let text = Used(keys: ["locale", "displayName", "description"])

    private static let item = Used(
        keys: [
            "displayPrice", "familyShareable", "internalID", "productID", "referenceName", "type",
            "subscriptionGroupID",
        ], parts: [("localizations", text)])

    private static let offer = Used(
        keys: [
            "displayPrice", "internalID", "numberOfPeriods", "offerID", "paymentMode",
            "referenceName", "subscriptionPeriod",
        ])

    private static let subscription = Used(
        keys: item.keys.union(["groupNumber", "recurringSubscriptionPeriod"]),
        parts: item.parts + [
            ("introductoryOffer", offer), ("introductoryOffers", offer), ("adHocOffers", offer),
            ("codeOffers", Used(keys: offer.keys.union(["eligibility"]))),
            ("winbackOffers", Used(keys: offer.keys.union(["isEligible"]))),
        ])

    private static let root = Used(
        keys: ["identifier", "version"],
        parts: [
            ("products", item), ("nonRenewingSubscriptions", item),
            ("settings", Used(keys: ["_applicationInternalID", "_storefront"])),
            (
                "subscriptionGroups",
                Used(
                    keys: ["id", "name"],
                    parts: [("localizations", text), ("subscriptions", subscription)])
            ),
        ])

    private struct Finder {
        var names: [String] = []
        private var known: Set<String> = []

        mutating func walk(_ object: JSONValue, used: Used, at path: String) {
            for member in object.object ?? [] {
                let name = path + member.key
                if let part = used.parts.first(where: { $0.key == member.key }) {
                    if let elements = member.value.array {
                        for element in elements { walk(element, used: part.used, at: name + "[].") }
                    } else {
                        walk(member.value, used: part.used, at: name + ".")
                    }
                } else if !used.keys.contains(member.key), !isBlank(member.value) {
                    add(name)
                } else if name == "settings._storefront", let code = member.value.string,
                    Storefront(countryCode: code) == nil
                {
                    add("\(name) (there is no storefront \(quoted(code)))")
                } else if name == "settings._applicationInternalID",
                    let text = member.value.string, !text.isEmpty, AppNumber(text) == nil
                {
                    add("\(name) (\(quoted(text)) is not an app's number)")
                }
            }
        }

        private mutating func add(_ name: String) {
            if known.insert(name).inserted { names.append(name) }
        }
    }

    /// Whether a value is empty: null, false, zero, empty, or made of such values. An object that
    /// says it is not enabled is also blank.
    private static func isBlank(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool(false), .string(""): true
        case .bool, .string: false
        case .number(let literal): literal == "0"
        case .array(let elements): elements.allSatisfy(isBlank)
        case .object(let members):
            value["enabled"] == .bool(false) || value["isEnabled"] == .bool(false)
                || members.allSatisfy { isBlank($0.value) }
        }
    }
}
