import Dispatch
import StoreCaller
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreSigning
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import PurchaseBackend

/// A backend without a listener, with a scripted store, clock and randomness.
final class Rig: Sendable {
    let folder: TemporaryFolder
    let clock = TestClock()
    let store = ScriptedStore()
    let parts: BackendParts
    let service: PurchaseBackendService
    private let lines: Lines

    var log: [String] { lines.all }
    var database: Database { parts.database }

    static let products = ProductList(
        bundleID: "com.example.rocketcar", versions: [],
        products: [
            BackendProduct(
                id: "coins", kind: .consumable,
                content: ProductContent(
                    name: "100 coins", mediaType: "text/plain", bytes: Array("100".utf8))),
            BackendProduct(
                id: "turbo", kind: .nonConsumable,
                content: ProductContent(
                    name: "Turbo", mediaType: "application/json", bytes: Array("{}".utf8))),
            BackendProduct(id: "flag", kind: .nonConsumable, content: nil),
            BackendProduct(
                id: "pass", kind: .nonRenewing,
                content: ProductContent(
                    name: "Season", mediaType: "text/plain", bytes: Array("2024".utf8))),
        ])

    /// Subscriptions of one group and of another, and season passes of two lengths.
    static let subscriptions = ProductList(
        bundleID: "com.example.rocketcar", versions: [],
        products: [
            BackendProduct(
                id: "gold.month", kind: .autoRenewable,
                content: ProductContent(
                    name: "Gold", mediaType: "text/plain", bytes: Array("gold".utf8)),
                service: "gold", group: "club",
                offers: [PromotionalOffer(id: "back", usesPerUserMax: 1)]),
            BackendProduct(
                id: "gold.year", kind: .autoRenewable,
                content: ProductContent(
                    name: "Gold year", mediaType: "text/plain", bytes: Array("years".utf8)),
                service: "gold", group: "club"),
            BackendProduct(
                id: "radio", kind: .autoRenewable, content: nil, group: "radio",
                offers: [PromotionalOffer(id: "louder", usesPerUserMax: 2)]),
            BackendProduct(
                id: "pass.week", kind: .nonRenewing,
                content: ProductContent(
                    name: "Season", mediaType: "text/plain", bytes: Array("2024".utf8)),
                service: "season", length: .days(7)),
            BackendProduct(
                id: "pass.month", kind: .nonRenewing, content: nil, service: "season",
                length: .months(1)),
            BackendProduct(id: "coins", kind: .consumable, content: nil),
        ])

    init(
        allowsSandbox: Bool = false, products: ProductList = Rig.products,
        folder: TemporaryFolder? = nil,
        firstRandom: Int = 0, secret: String? = nil, signing: OfferSigning? = nil,
        refundedConsumables: RefundedConsumables = .belowZero,
        change: (inout BackendTimings) -> Void = { _ in }
    ) throws {
        let folder = folder ?? TemporaryFolder()
        self.folder = folder
        var configuration = BackendConfiguration(
            dataDirectory: folder.path, productionURL: "http://store/production",
            sandboxURL: "http://store/sandbox/", productListFile: "")
        configuration.allowsSandbox = allowsSandbox
        configuration.sharedSecret = try secret.map { try SharedSecret($0, from: "the test") }
        // A test that lists purchases looks at what is known.
        configuration.timings.listFreshMilliseconds = .max
        configuration.refundedConsumables = refundedConsumables
        change(&configuration.timings)
        let lines = Lines()
        self.lines = lines
        let store = store
        let random = Counter(firstRandom)
        parts = try BackendParts(
            configuration, products: products,
            database: Database(
                path: folder.path + "/backend.sqlite", durability: .processOnly,
                schema: BackendSchema.current),
            send: { request throws(CallerError) in try store.send(request) },
            tokens: TokenMint { random.bytes($0) }, dummyHash: Self.hash.get(),
            signing: signing, operatorToken: OperatorToken(Self.operatorToken), chance: { 0 },
            clock: clock.wallClock,
            log: Log { lines.add($0) })
        service = PurchaseBackendService(parts)
    }

    deinit { parts.database.close() }

    /// Sends a request and waits for its answer.
    func send(
        _ method: String, _ path: String, token: String? = nil, _ body: String = "",
        query: [(name: String, value: String)] = [], headers: [(String, String)] = []
    ) throws -> HTTPResponse {
        let waiting = begin(
            method, path, token: token, body, query: query, headers: headers)
        return try waiting.answer()
    }

    /// Sends a request whose answer is waited for later.
    func begin(
        _ method: String, _ path: String, token: String? = nil, _ body: String = "",
        query: [(name: String, value: String)] = [], headers: [(String, String)] = []
    ) -> PendingAnswer {
        let waiting = PendingAnswer()
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        service.handle(
            HTTPRequest(
                method: method, path: path,
                segments: path.split(separator: "/").map(String.init), query: query,
                headers: HTTPHeaders(
                    headers + authorization
                        + (headers.contains { $0.0 == "Content-Type" }
                            ? [] : [("Content-Type", "application/json")])), body: Array(body.utf8)),
            Responder { waiting.fill($0) })
        return waiting
    }

    /// Made once: hashing is slow on purpose.
    private static let hash = Result { try PasswordHash.make(password) }
    static let operatorToken = "operator-token-of-the-rig-0123456789"
    static let password = "correct horse"

    /// Adds a user who has signed in, and gives the token.
    ///
    /// The session lasts 30 days, or longer than any test (`forGood`).
    func signUp(_ name: String = "dora", forGood: Bool = false) throws -> String {
        let token = parts.accounts.tokens.sessionToken()
        let now = clock.now
        let user = UserRow(
            id: parts.accounts.tokens.userID(), name: name, nameKey: UserCredentials.key(of: name),
            passwordHash: try Self.hash.get(), createdAt: now)
        try database.write { scope in
            _ = try UserRecords.insert(scope, user)
            try SessionRecords.insert(
                scope, tokenHash: TokenMint.hash(token), user: user.id, now: now)
            if forGood { try scope.execute("UPDATE sessions SET expires_at = 9000000000000000") }
        }
        return token
    }

    /// Hands in a receipt.
    func submit(
        _ token: String, product: String = "coins", transaction: String = "1000000000000001",
        version: String = "1.2", receipt: String = "cmVjZWlwdA==",
        passThrough: [String: String]? = nil
    ) throws -> HTTPResponse {
        try send(
            "POST", "/v1/receipts", token: token,
            Self.submission(
                product: product, transaction: transaction, version: version,
                receipt: receipt, passThrough: passThrough))
    }

    static func submission(
        product: String = "coins", transaction: String = "1000000000000001",
        version: String = "1.2", receipt: String = "cmVjZWlwdA==",
        passThrough: [String: String]? = nil
    ) throws -> String {
        let body = ReceiptSubmissionBody(
            receiptData: receipt, productId: product, transactionId: transaction,
            appVersion: version, passThrough: passThrough)
        return String(decoding: try WireJSON.encode(body), as: UTF8.self)
    }

    /// Asks as the operator.
    func look(
        _ path: String = "", method: String = "GET", query: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        try send(
            method, "/operator/v1/submissions" + path, token: Self.operatorToken, query: query)
    }

    /// One submission with its history, as the operator sees it.
    func submission(_ id: String) throws -> OperatorSubmissionBody {
        try WireJSON.decode(OperatorSubmissionBody.self, from: look("/" + id).body)
    }

    /// One number of the database.
    func count(_ sql: String) throws -> Int64 {
        try database.read { try $0.row(sql)?.integer(0) ?? -1 }
    }
}

/// An answer that may not be there yet.
final class PendingAnswer: Sendable {
    struct TooLate: Error {}

    private let response = Mutex<HTTPResponse?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    var isThere: Bool { response.withLock { $0 != nil } }

    func fill(_ new: HTTPResponse) {
        response.withLock { $0 = new }
        semaphore.signal()
    }

    func answer(seconds: Int = 120) throws -> HTTPResponse {
        guard semaphore.wait(timeout: .now() + .seconds(seconds)) == .success,
            let response = response.withLock({ $0 })
        else { throw TooLate() }
        return response
    }
}

/// Lines of a log.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Bytes that count, in place of ones nobody can guess.
private final class Counter: Sendable {
    private let value: Mutex<Int>

    init(_ first: Int) { value = Mutex(first) }

    func bytes(_ count: Int) -> [UInt8] {
        let number = value.withLock { value in
            value += 1
            return value
        }
        let last = [UInt8(number >> 8 & 255), UInt8(number & 255)]
        return [UInt8](repeating: 0, count: count - 2) + last
    }
}

extension HTTPResponse {
    /// The body as an outcome.
    var outcome: ReceiptOutcomeBody {
        get throws { try WireJSON.decode(ReceiptOutcomeBody.self, from: body) }
    }

    /// The name of an error body.
    var errorCode: String {
        get throws { try WireJSON.decode(ErrorBody.self, from: body).error.code }
    }
}
