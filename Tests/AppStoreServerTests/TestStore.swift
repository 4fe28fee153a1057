import AppStoreServer
import Foundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire
import Synchronization
import TestSupport
import Testing

/// A store without a socket: requests go to the handler, answers come back.
final class TestStore: Sendable {
    static let bundleID = "com.example.rocketcar"
    static let guid = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
    static let controlToken = "a-control-token-of-thirty-two-bytes"
    static let metricsToken = "a-metrics-token-of-thirty-two-bytes"

    let registry: WorldRegistry
    let parts: StoreParts
    let lines = Lines()
    let handler: StoreHandler
    private let folder: TemporaryFolder
    var directory: String { folder.path }

    /// `provider` takes the money of real accounts of the default world.
    init(
        folder: TemporaryFolder = TemporaryFolder(), at time: Timestamp = TestStore.start,
        provider: (any PaymentProvider)? = nil, places: HostPlaces = HostPlaces(),
        inspector: Inspector? = nil
    ) throws {
        self.folder = folder
        let keys = try SharedKeys.store()
        parts = StoreParts(keys: keys, inspector: inspector)
        let clock = ClockBox(time)
        wall = clock
        let lines = lines
        registry = try WorldRegistry(
            directory: folder.path, keys: keys, wall: WallClock { clock.now },
            polls: parts.polls, numberOffset: { 0 }, makeProvider: { provider },
            log: Log { lines.add($0) })
        handler = StoreHandler(
            worlds: registry, parts: parts, token: ControlToken(Self.controlToken),
            hosts: KnownHosts(listeningOn: "127.0.0.1", allowing: ["shop.test"]),
            places: places, metricsToken: ControlToken(Self.metricsToken),
            log: Log { lines.add($0) })
    }

    deinit {
        registry.close()
    }

    private let wall: ClockBox

    /// 2024-05-01T10:20:30.123Z
    static let start = Timestamp(milliseconds: 1_714_558_830_123)

    func move(byMilliseconds delta: Int64) {
        wall.move(byMilliseconds: delta)
    }

    /// Sends a request and waits for its answer.
    func send(
        _ method: String, _ path: String, token: String? = nil,
        headers: [(String, String)] = [], body: [UInt8] = [], peer: Peer = Peer(connection: 0)
    ) async -> HTTPResponse {
        await withCheckedContinuation { continuation in
            start(method, path, token: token, headers: headers, body: body, peer: peer) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Sends a request; `then` gets the answer whenever it comes.
    func start(
        _ method: String, _ path: String, token: String? = nil,
        headers: [(String, String)] = [], body: [UInt8] = [], peer: Peer = Peer(connection: 0),
        then: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        handler.handle(
            request(method, path, token: token, headers: headers, body: body, peer: peer),
            Responder(deliver: then))
    }

    /// Whom the memory for a large body of such a request is counted for.
    func sender(_ path: String, token: String?, headers: [(String, String)] = []) -> BodySender {
        handler.sender(of: request("POST", path, token: token, headers: headers))
    }

    func bodyBytesMax(_ path: String, host: String?) -> Int {
        handler.bodyBytesMax(
            method: "POST", host: host, segments: path.split(separator: "/").map(String.init))
    }

    func pathPartsMax(_ path: String, host: String?) -> Int? {
        handler.pathPartsMax(host: host, path: path)
    }

    private func request(
        _ method: String, _ path: String, token: String?, headers: [(String, String)],
        body: [UInt8] = [], peer: Peer = Peer(connection: 0)
    ) -> HTTPRequest {
        let parts = path.split(separator: "?", maxSplits: 1)
        let query = parts.count == 2 ? parts[1].split(separator: "&") : []
        return HTTPRequest(
            method: method, path: String(parts[0]),
            segments: parts[0].split(separator: "/").map(String.init),
            query: query.map {
                let pair = $0.split(separator: "=", maxSplits: 1).map(String.init)
                return (pair[0], pair.count == 2 ? pair[1] : "")
            },
            headers: HTTPHeaders(
                headers + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                    + (headers.contains { $0.0 == "Content-Type" }
                        ? [] : [("Content-Type", "application/json")])),
            body: body, peer: peer)
    }

    func control(
        _ method: String, _ path: String, body: (any Encodable)? = nil
    ) async throws -> HTTPResponse {
        await send(
            method, path, token: Self.controlToken,
            body: try body.map { try WireJSON.encode($0) } ?? [])
    }

    /// Imports the sample catalogue and makes an account.
    func stock(world: String = "", storefront: String? = nil) async throws {
        let imported = await send(
            "PUT", "\(world)/control/v1/apps/\(Self.bundleID)/catalog", token: Self.controlToken,
            body: Array(Samples.catalogue.utf8))
        #expect(imported.status == 200, "\(String(decoding: imported.body, as: UTF8.self))")
        let made = try await control(
            "POST", "\(world)/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "buyer", password: "rocket-fuel-1",
                storefront: storefront))
        #expect(made.status == 201)
    }

    /// Registers a device; gives its token.
    func register(
        guid: String = TestStore.guid, in base: String = "/sandbox"
    ) async throws -> String {
        let answer = await send(
            "POST", "\(base)/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(guid: guid, bundleId: Self.bundleID, appVersion: "1.0")))
        try #require(answer.status == 200)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    /// Registers a device and signs the account in on it; gives the token.
    func signIn(
        guid: String = TestStore.guid, account: String = "buyer",
        in base: String = "/sandbox"
    ) async throws -> String {
        let token = try await register(guid: guid, in: base)
        let answer = await send(
            "POST", "\(base)/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: account, password: "rocket-fuel-1")))
        try #require(answer.status == 200)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    func attempt(
        _ product: String, id: String = UUID().uuidString, quantity: Int = 1,
        username: String? = nil, shown: Int64? = nil, currency: String? = nil,
        simulates: Bool? = nil, token: String, in base: String = "/sandbox", query: String = ""
    ) async throws -> HTTPResponse {
        await send(
            "POST", "\(base)/device/v1/attempts\(query)", token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: product, quantity: quantity,
                    applicationUsername: username, shownPriceMilliunits: shown,
                    shownCurrency: currency, simulatesAskToBuy: simulates)))
    }

    /// Buys and gives the transaction.
    func buy(
        _ product: String, quantity: Int = 1, token: String, in base: String = "/sandbox"
    ) async throws -> TransactionBody {
        let answer = try await attempt(product, quantity: quantity, token: token, in: base)
        try #require(answer.status == 200)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        return try #require(body.transaction)
    }

    func receipt(token: String, in base: String = "/sandbox") async throws -> [UInt8] {
        let answer = await send("GET", "\(base)/device/v1/receipt", token: token)
        try #require(answer.status == 200)
        return answer.body
    }

    /// The answer of verifyReceipt.
    func verify(_ receipt: [UInt8], at base: String = "/sandbox") async throws -> JSONValue {
        let text = Data(receipt).base64EncodedString()
        let answer = await send(
            "POST", "\(base)/verifyReceipt", body: Array(#"{"receipt-data":"\#(text)"}"#.utf8))
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        return try JSONValue(parsing: answer.body)
    }
}

/// The error code of a refusal.
func errorCode(_ response: HTTPResponse) -> String? {
    try? WireJSON.decode(ErrorBody.self, from: response.body).error.code
}

final class ClockBox: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp) {
        self.time = Mutex(time)
    }

    var now: Timestamp { time.withLock { $0 } }

    func move(byMilliseconds delta: Int64) {
        time.withLock { $0 = $0.adding(milliseconds: delta) }
    }
}

final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    var all: [String] { lines.withLock { $0 } }
}

/// One set of keys for the whole run: making them takes a second.
enum SharedKeys {
    private static let made = Result<(KeyStore, TemporaryFolder), any Error> {
        let folder = TemporaryFolder.untilExit()
        try KeyStore.create(in: folder.path + "/keys")
        return (try KeyStore(directory: folder.path + "/keys"), folder)
    }

    static func store() throws -> KeyStore { try made.get().0 }
}
