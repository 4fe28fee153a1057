import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// A store on a held clock with a mother, who is `buyer` and organises, a kid and an aunt, each on
/// a device of their own. Turbo, gold and silver may be shared; fuel and bronze may not.
struct FamilyFixture {
    static let gold = SubscriptionFixture.gold
    static let silver = SubscriptionFixture.silver
    static let bronze = SubscriptionFixture.bronze

    let shop: SubscriptionFixture
    let mother: String
    let kid: String
    let aunt: String

    var store: TestStore { shop.store }

    init(
        pace: RenewalPace = .calendar, trial: String? = nil, store: TestStore? = nil
    ) async throws {
        shop = try await SubscriptionFixture(pace: pace, trial: trial, store: store)
        let imported = await shop.store.send(
            "PUT", "\(SubscriptionFixture.app)/catalog", token: TestStore.controlToken,
            body: Array(Self.catalogue(trial: trial).utf8))
        #expect(imported.status == 200, "\(String(decoding: imported.body, as: UTF8.self))")
        mother = shop.token
        var tokens: [String] = []
        for name in ["kid", "aunt"] {
            let made = try await shop.store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: name, password: "rocket-fuel-1",
                    storefront: nil))
            #expect(made.status == 201)
            tokens.append(
                try await shop.store.signIn(guid: UUID().uuidString, account: name))
        }
        kid = tokens[0]
        aunt = tokens[1]
    }

    static func catalogue(trial: String? = nil) -> String {
        func product(_ id: String, _ type: String, isShareable: Bool) -> String {
            """
            { "displayPrice" : "2.99", "familyShareable" : \(isShareable), "internalID" : "\(id)",
              "localizations" : [], "productID" : "\(id)", "referenceName" : "\(id)",
              "type" : "\(type)" }
            """
        }
        let turbo = product(Samples.turbo, "NonConsumable", isShareable: true)
        let fuel = product(Samples.fuel, "Consumable", isShareable: true)
        return SubscriptionFixture.catalogue(trial: trial)
            .replacingOccurrences(
                of: #""familyShareable" : false"#, with: #""familyShareable" : true"#
            )
            .replacingOccurrences(
                of: #""familyShareable" : true, "groupNumber" : 3"#,
                with: #""familyShareable" : false, "groupNumber" : 3"#
            )
            .replacingOccurrences(
                of: #""products" : [],"#, with: "\"products\" : [\(turbo), \(fuel)],")
    }

    func send(
        _ method: String, _ path: String, _ body: (any Encodable)? = nil
    ) async throws -> HTTPResponse {
        try await store.control(method, "/control/v1/families\(path)", body: body)
    }

    /// A family of the mother and others.
    func family(with names: String...) async throws {
        let made = try await send("POST", "", MakeFamilyBody(organiser: "buyer"))
        try #require(made.status == 201)
        for name in names { try await change("/1/add", FamilyMemberNameBody(name: name)) }
    }

    /// Changes the one family; gives what was shared and what was taken back.
    @discardableResult
    func change(_ path: String, _ body: FamilyMemberNameBody) async throws -> [Int] {
        try await outcome(try await send("POST", path, body))
    }

    func share(_ isOn: Bool, by name: String) async throws -> [Int] {
        try await outcome(
            try await send(
                "POST", "/1/sharing", FamilySharingBody(name: name, sharesPurchases: isOn)))
    }

    func outcome(_ answer: HTTPResponse) async throws -> [Int] {
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        let body = try WireJSON.decode(FamilyChangeBody.self, from: answer.body)
        #expect(body.withoutRoom == 0)
        return [body.shared, body.takenBack]
    }

    func unfinished(_ token: String) async throws -> [TransactionBody] {
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body).transactions
    }

    func updates(_ token: String, after cursor: Int64 = 0) async throws -> UpdatesBody {
        let answer = await store.send(
            "GET", "/sandbox/device/v1/updates?after=\(cursor)", token: token)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body)
    }

    func finishAll(_ token: String) async throws {
        for each in try await unfinished(token) {
            let path = "/sandbox/device/v1/transactions/\(each.transactionId)/finish"
            #expect(await store.send("POST", path, token: token).status == 200)
        }
    }

    func revoke(_ id: String, _ reason: Revocation.Reason = .issue) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: reason))
    }

    func verified(_ token: String) async throws -> JSONValue {
        try await shop.verify(try await store.receipt(token: token))
    }

    /// What the receipt shows: product without its beginning, whose it is, and `cancelled` with the
    /// reason.
    func shown(_ token: String) async throws -> [String] {
        (try await verified(token)["receipt"]?["in_app"]?.array ?? []).map { purchase in
            let product = purchase["product_id"]?.string?.split(separator: ".").last ?? ""
            let reason = purchase["cancellation_reason"]?.string.map { " reason \($0)" } ?? ""
            return "\(product) \(purchase["in_app_ownership_type"]?.string ?? "")"
                + (purchase["cancellation_date"] == nil ? "" : " cancelled") + reason
        }
    }
}
