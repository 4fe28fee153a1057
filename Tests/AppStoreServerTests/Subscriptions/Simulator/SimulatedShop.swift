import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import AppStoreServer

/// What simulated worlds begin with: a catalogue, and accounts that are signed in on a device each.
///
/// Passwords take long to hash, so the accounts are made once, and each world begins as a copy.
struct SimulatedShop: Sendable {
    static let app = "/control/v1/apps/\(TestStore.bundleID)"

    private let folder: TemporaryFolder
    let tokens: [String]
    let secret: String

    init(accounts count: Int) async throws {
        folder = TemporaryFolder()
        let store = try TestStore(folder: folder)
        let imported = await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken,
            body: Array(Self.catalogue.utf8))
        try #require(
            imported.status == 200, "\(String(decoding: imported.body, as: UTF8.self))")
        let made = try await store.control(
            "POST", "\(Self.app)/secrets", body: MakeSecretBody(overlapMilliseconds: nil))
        secret = try WireJSON.decode(MadeSecretBody.self, from: made.body).secret
        tokens = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for index in 0..<count {
                group.addTask { (index, try await Self.makeAccount(index, in: store)) }
            }
            var found = [String](repeating: "", count: count)
            for try await (index, token) in group { found[index] = token }
            return found
        }
        store.registry.close()
    }

    /// Every third account is a real one, whose credit pays for what it buys.
    static func environment(of index: Int) -> StoreEnvironment {
        index % 3 == 2 ? .production : .sandbox
    }

    private static func makeAccount(_ index: Int, in store: TestStore) async throws -> String {
        let made = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: environment(of: index), name: "\(index)", password: "rocket-fuel-1",
                storefront: nil))
        try #require(made.status == 201)
        return try await store.signIn(
            guid: UUID().uuidString, account: "\(index)",
            in: "/\(environment(of: index).rawValue)")
    }

    /// A folder of a world that begins like this one; its accounts are called after their seeds.
    func copy(firstSeed: Int) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: folder.path + "/default.sqlite", toPath: copy.path + "/default.sqlite")
        try FileManager.default.createDirectory(
            atPath: copy.path + "/audit/answers", withIntermediateDirectories: true)
        try Data(Self.catalogue.utf8).write(
            to: URL(fileURLWithPath: copy.path + "/audit/catalogue.storekit"))
        let store = try TestStore(folder: copy)
        _ = try store.registry.defaultWorld.database.write { scope in
            // The auditor reads the notifications of all years.
            for table in ["notification", "notification_text", "notification_attempt"] {
                try scope.execute(
                    """
                    CREATE TRIGGER \(table)_is_kept BEFORE DELETE ON \(table)
                    BEGIN SELECT RAISE(IGNORE); END
                    """)
            }
            try scope.execute(
                "UPDATE account SET name = 'seed-' || (CAST(name AS BIGINT) + ?1)",
                [.integer(Int64(firstSeed))])
        }
        store.registry.close()
        return copy
    }

    // MARK: - The catalogue

    /// What is sold once, or in numbers. Turbo may be shared in a family.
    static let singles = ["turbo", "moon", "fuel"]

    /// Products by group; the names in the file have the app's before them.
    static let products = [
        "fan": ["gold", "gold.year", "silver", "silver.other", "quarter", "half", "bronze", "two"],
        "news": ["news", "news.year"],
    ]

    /// Everything that is for sale, in one order.
    static let all = products.values.flatMap { $0 }.sorted() + singles

    /// What families do not get.
    private static let unshared: Set = ["silver.other", "two", "news.year", "moon", "fuel"]

    static func id(_ name: String) -> String { "\(TestStore.bundleID).\(name)" }

    private static let catalogue = """
        { "identifier" : "5A1E7C42", "nonRenewingSubscriptions" : [], "products" : [
              \(single("turbo", "NonConsumable", "2.99")),
              \(single("moon", "NonConsumable", "4.99")),
              \(single("fuel", "Consumable", "0.99")) ],
          "settings" : {}, "subscriptionGroups" : [
            { "id" : "fan", "localizations" : [], "name" : "Fan", "subscriptions" : [
              \(product("fan", "gold", 1, "P1M", "19.99", offer("payAsYouGo", "P1M", 3, "9.99"))),
              \(product("fan", "gold.year", 1, "P1Y", "199.99")),
              \(product("fan", "silver", 2, "P1M", "9.99", offer("free", "P1W", 1))),
              \(product("fan", "silver.other", 2, "P1M", "8.99")),
              \(product("fan", "quarter", 2, "P3M", "27.99", offer("payUpFront", "P2M", 1, "5.99"))),
              \(product("fan", "half", 2, "P6M", "49.99")),
              \(product("fan", "bronze", 3, "P1W", "1.99", offer("free", "P2W", 1))),
              \(product("fan", "two", 3, "P2M", "7.99")) ] },
            { "id" : "news", "localizations" : [], "name" : "News", "subscriptions" : [
              \(product("news", "news", 1, "P1M", "4.99", offer("free", "P1M", 1))),
              \(product("news", "news.year", 2, "P1Y", "39.99")) ] } ],
          "version" : { "major" : 3, "minor" : 0 } }
        """

    private static func product(
        _ group: String, _ name: String, _ level: Int, _ period: String, _ price: String,
        _ offer: String = "null"
    ) -> String {
        """
        { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "\(price)",
          "familyShareable" : \(!unshared.contains(name)), "groupNumber" : \(level), "internalID" : "\(name)",
          "introductoryOffer" : \(offer), "localizations" : [], "productID" : "\(id(name))",
          "recurringSubscriptionPeriod" : "\(period)", "referenceName" : "\(name)",
          "subscriptionGroupID" : "\(group)", "type" : "RecurringSubscription" }
        """
    }

    private static func single(_ name: String, _ type: String, _ price: String) -> String {
        """
        { "displayPrice" : "\(price)", "familyShareable" : \(!unshared.contains(name)),
          "internalID" : "\(name)", "localizations" : [], "productID" : "\(id(name))",
          "referenceName" : "\(name)", "type" : "\(type)" }
        """
    }

    private static func offer(
        _ mode: String, _ period: String, _ count: Int, _ price: String = "0"
    ) -> String {
        """
        { "displayPrice" : "\(price)", "internalID" : "1", "numberOfPeriods" : \(count),
          "paymentMode" : "\(mode)", "subscriptionPeriod" : "\(period)" }
        """
    }
}

/// What the store agreed to, in order, for the auditor to hold it to.
final class AgreedLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ words: Any...) {
        let line = words.map { "\($0)" }.joined(separator: " ")
        lines.withLock { $0.append(line) }
    }

    func write(to folder: String) throws {
        let text = lines.withLock { $0 }.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/audit/told.txt"))
    }
}

/// The same numbers for the same seed, on every machine (SplitMix64).
struct SeededRandom: Sendable {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    /// Seeds are mixed first: those of neighbours would give the same numbers, one place on.
    init(seed: UInt64) {
        state = Self.mixed(seed &* Self.step &+ 0x1234_5678_9ABC_DEF1)
    }

    mutating func below(_ limit: Int) -> Int {
        state &+= Self.step
        return Int(Self.mixed(state) % UInt64(limit))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
