import StoreModel
import StoreRules
import StoreWire

// Families of the seed's accounts.
extension SeedReader {
    /// Refuses what the rules of families would refuse.
    func families(of root: JSONValue, accounts: Set<String>) throws -> [WorldSeed.Family] {
        var places: [String: JSONPath] = [:]
        func checkedMember(_ name: String, at place: JSONPath) throws -> String {
            guard accounts.contains(name) else {
                throw failure("is not an account of this seed", at: place)
            }
            if let first = places.updateValue(place, forKey: name) {
                throw failure("is already in a family, at \(first)", at: place)
            }
            return name
        }
        var families: [WorldSeed.Family] = []
        for (item, path) in try objects(
            "families", of: root, countMax: WorldSeed.accountsMax, keys: ["organiser", "members"])
        {
            let organiser = try checkedMember(
                try required("organiser", of: item, at: path), at: path.appending("organiser"))
            let others = try texts(
                "members", of: item, at: path, countMax: FamilyRules.membersMax - 1
            ).map { try checkedMember($0.0, at: $0.1) }
            families.append(WorldSeed.Family(organiser: organiser, others: others))
        }
        return families
    }
}
