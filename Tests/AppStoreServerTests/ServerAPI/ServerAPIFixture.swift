import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer
@testable import StoreSigning
@testable import StoreVerification

/// An app's server at the App Store Server API, with a key of the sample app.
struct ServerAPIFixture {
    private struct Claims: Codable {
        let aud: String
        let bid: String
        let exp: Int64
        let iss: String
    }

    private struct Header: JWSHeader {
        static let jwsBytesMax = 8_192
        static let required = "alg and kid"
        let alg: String
        let kid: String
        func check() {}
    }

    let store: TestStore
    let base: String
    let token: String

    init(store: TestStore, base: String, token: String) {
        (self.store, self.base, self.token) = (store, base, token)
    }

    init(of store: TestStore, in environment: StoreEnvironment = .sandbox) async throws {
        let made = try await store.control(
            "POST", "/control/v1/apps/\(TestStore.bundleID)/offer-keys")
        try self.init(
            store: store, base: "/\(environment.rawValue)",
            key: WireJSON.decode(MadeOfferKeyBody.self, from: made.body))
    }

    /// With a key of the sample app in the world of a path.
    init(store: TestStore, base: String, key: MadeOfferKeyBody) throws {
        self.store = store
        self.base = base
        let now = store.registry.defaultWorld.time.real().milliseconds / 1_000
        token = try CompactJWS.text(
            of: Claims(
                aud: "appstoreconnect-v1", bid: TestStore.bundleID, exp: now + 3_000,
                iss: key.issuerId),
            header: Header(alg: "ES256", kid: key.keyId),
            signedBy: CurvePrivateKey(pem: Array(key.privateKey.utf8)))
    }

    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async -> HTTPResponse {
        await store.send(
            method, base + path, token: token, body: body?.compactBytes ?? [])
    }

    /// The status and the number of an error, or 0.
    func error(
        _ method: String, _ path: String, _ body: JSONValue? = nil
    ) async throws -> [Int] {
        let answer = await ask(method, path, body)
        let number = try JSONValue(parsing: answer.body)["errorCode"]?.wholeNumber ?? 0
        return [answer.status, Int(number)]
    }
}
