import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The sandbox of a test session, on a clock that is held, with an account without a password that is
/// signed in on a device.
struct TestSessionFixture {
    static let control = "/t/one/control/v1"
    static let base = "/t/one/sandbox"
    static let now = "2026-03-31T10:00:00Z"

    let store: TestStore
    let token: String

    init(
        sandboxName: SandboxName? = nil, catalogue: String = OfferFixture.catalogue()
    ) async throws {
        let store = try TestStore()
        self.store = store
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one", sandboxName: sandboxName)
        ).expectStatus(201)
        await store.send(
            "PUT", "\(Self.control)/apps/\(TestStore.bundleID)/catalog",
            token: TestStore.controlToken, body: Array(catalogue.utf8)
        ).expectStatus(200)
        try await Self.setClock(Self.now, in: store)
        try await store.control(
            "PUT", "\(Self.control)/clock/pace",
            body: PacesBody(production: nil, sandbox: .calendar)
        ).expectStatus(200)
        try await Self.makeAccount("buyer", in: store)
        token = try await Self.makeDevice(in: store)
    }

    /// Holds the world's clock at a time.
    func setClock(_ text: String) async throws { try await Self.setClock(text, in: store) }

    private static func setClock(_ text: String, in store: TestStore) async throws {
        try await store.control(
            "PUT", "\(control)/clock", body: ClockBody(mode: .held, now: moment(text))
        ).expectStatus(200)
    }

    static func makeAccount(_ name: String, in store: TestStore) async throws {
        try await store.control(
            "POST", "\(control)/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: name, password: nil, storefront: nil)
        ).expectStatus(201)
    }

    static func makeDevice(
        _ guid: String = TestStore.guid, account: String = "buyer", in store: TestStore
    ) async throws -> String {
        let answer = try await store.control(
            "POST", "\(control)/devices",
            body: MakeDeviceBody(
                guid: guid, account: account, bundleId: TestStore.bundleID, appVersion: "1.0"))
        answer.expectStatus(201)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    func attempt(
        _ product: String, id: String = UUID().uuidString, _ test: TestPurchaseBody? = nil,
        promotional: PromotionalOfferBody? = nil
    ) async throws -> HTTPResponse {
        await store.send(
            "POST", "\(Self.base)/device/v1/attempts", token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: product, quantity: 1, applicationUsername: nil,
                    promotionalOffer: promotional, test: test)))
    }

    func answer(
        _ product: String, id: String = UUID().uuidString, _ test: TestPurchaseBody? = nil
    ) async throws -> AttemptAnswerBody {
        let answer = try await attempt(product, id: id, test)
        answer.expectStatus(200)
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    @discardableResult
    func buy(
        _ product: String, id: String = UUID().uuidString, _ test: TestPurchaseBody? = nil
    ) async throws -> TransactionBody {
        try #require(try await answer(product, id: id, test).transaction)
    }

    func finish(_ id: String) async {
        await store.send(
            "POST", "\(Self.base)/device/v1/transactions/\(id)/finish", token: token
        ).expectStatus(200)
    }

    func delete(_ id: String) async throws -> HTTPResponse {
        try await store.control("DELETE", "\(Self.control)/transactions/\(id)")
    }

    func signed(after: Int64 = 0, limit: Int? = nil) async throws -> SignedChangesBody {
        try await store.signed(after: after, limit: limit, token: token, in: Self.base)
    }

    /// The payloads of the account's transactions, in the order of their numbers.
    func payloads() async throws -> [JSONValue] {
        try store.payloads(of: try await signed()).sorted {
            ($0["transactionId"]?.string ?? "") < ($1["transactionId"]?.string ?? "")
        }
    }

    func subscription(_ original: String) async throws -> HTTPResponse {
        try await store.control("GET", "\(Self.control)/subscriptions/\(original)")
    }

    func state(_ original: String) async throws -> SubscriptionBody {
        let answer = try await subscription(original)
        answer.expectStatus(200)
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    var database: Database {
        get throws {
            let name = try #require(WorldName("one"))
            return try #require(try store.registry.world(name)).database
        }
    }
}

/// A moment, or the beginning of time where the text is none.
func moment(_ text: String) -> Timestamp {
    Timestamp(rfc3339: text) ?? Timestamp(milliseconds: 0)
}
