import Foundation
import StoreCaller
import StoreDatabase
import StoreLog
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// The whole server over sockets, with a store that has every trouble a network has.
@Suite(.ownThreads)
struct PurchaseBackendServerTests {
    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let behaviour: FakeStore.Behaviour
        /// Whether it ends with the time that a call has.
        let isSlow: Bool

        init(_ name: String, _ behaviour: FakeStore.Behaviour, isSlow: Bool = false) {
            testDescription = name
            self.behaviour = behaviour
            self.isSlow = isSlow
        }
    }

    static let verified = StoreAnswers.verified([.init()])

    @Test(arguments: [
        Trouble("late", .late(milliseconds: 900, verified), isSlow: true),
        Trouble("never", .never, isSlow: true),
        Trouble("HTML", .answer("<html><body>Sorry</body></html>")),
        Trouble("half a body", .half(verified)), Trouble("hangs up", .hangUp),
        Trouble("HTTP 500", .http(500, verified)), Trouble("HTTP 302", .http(302, verified)),
        Trouble("21005", .answer(StoreAnswers.status(21_005))),
        Trouble("no status", .answer("{\"receipt\":{}}")), Trouble("endless", .endless),
        Trouble("HTTP 503", .http(503, verified)), Trouble("HTTP 429", .http(429, verified)),
        Trouble("closes at once", .reset), Trouble("byte by byte", .dripping, isSlow: true),
        Trouble("one byte too long", .answer(padded(BackendLimits.storeAnswerMax + 1))),
        Trouble(
            "one byte too long, in pieces",
            .pieces(padded(BackendLimits.storeAnswerMax + 1), type: "application/json")),
        Trouble(
            "HTML called JSON",
            .pieces("<html><body>Sorry</body></html>", type: "application/json")),
        Trouble("nothing", .answer("")), Trouble("no HTTP", .pieces("", type: "\r\n\u{0}")),
    ])
    func `a receipt survives trouble and is granted once after it`(trouble: Trouble) throws {
        let site = try Site {
            if trouble.isSlow { $0.timings.storeCallMilliseconds = 400 }
        }
        defer { site.stop() }
        let token = try site.signUp("dora")
        site.store.behave(trouble.behaviour)
        let kept = try site.submit(token, passThrough: ["level": "3"])
        #expect(kept.status == 202, "\(String(decoding: kept.body, as: UTF8.self))")
        let id = try kept.outcome.submissionId

        site.store.behave(.answer(Self.verified))
        let state = try site.waitUntilSettled(id, token)
        #expect(state.status == .granted)
        #expect(state.content?.data == "MTAw")
        #expect(state.passThrough == ["level": "3"])
        try eventually { try site.submit(token).outcome.status == .alreadyGranted }
        let owned = try site.send("GET", "/v1/purchases", token: token)
        let purchases = try WireJSON.decode(OwnedPurchasesBody.self, from: owned.body).purchases
        #expect(purchases.map(\.transactionId) == ["1000000000000001"])
    }

    /// A good answer with blanks before it, so long.
    private static func padded(_ count: Int) -> String {
        String(repeating: " ", count: count - verified.utf8.count) + verified
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `redirects are never followed`(status: Int) throws {
        let other = try FakeStore()
        other.behave(.answer(Self.verified))
        let site = try Site()
        defer { site.stop() }
        let token = try site.signUp("dora")
        site.store.behave(
            .redirect(status, other.url(.production) + "/verifyReceipt"))
        let kept = try site.submit(token)
        #expect(kept.status == 202)
        #expect(other.requestCount == 0, "the receipt went to a stranger")
        site.store.behave(.answer(Self.verified))
        #expect(try site.waitUntilSettled(kept.outcome.submissionId, token).status == .granted)
    }

    @Test func `an answer is read by its content, not by its content type`() throws {
        let site = try Site()
        defer { site.stop() }
        let token = try site.signUp("dora")
        site.store.behave(.pieces(Self.verified, type: "text/html; charset=klingon"))
        #expect(try site.submit(token).outcome.status == .granted)
        let longest = Self.padded(BackendLimits.storeAnswerMax)
        site.store.behave(.answer(longest))
        #expect(try site.submit(token).outcome.status == .alreadyGranted, "16 MiB are allowed")
    }

    @Test func `a store that never answers holds up nothing else`() throws {
        let site = try Site {
            $0.timings.storeCallMilliseconds = 300_000
            $0.timings.answerDeadlineMilliseconds = 300_000
        }
        defer { site.stop() }
        let token = try site.signUp("dora")
        site.store.behave(.never)
        let waiting = (1...40).map { number in
            PendingCall { try site.submit(token, transaction: "\(number)") }
        }
        try eventually { site.store.requestCount == BackendLimits.verificationWorkersMax }
        let operatorToken = try site.operatorToken()
        try eventually {
            let answer = try site.send(
                "GET", "/operator/v1/submissions?state=received", token: operatorToken)
            return try WireJSON.decode(OperatorSubmissionsBody.self, from: answer.body)
                .submissions.count == 40
        }
        for path in ["/health", "/ready", "/v1/products"] {
            #expect(try site.send("GET", path).status == 200)
        }
        #expect(try site.send("GET", "/v1/purchases", token: token).status == 200)
        #expect(try site.send("DELETE", "/v1/sessions", token: token).status == 204)
        #expect(site.store.requestCount == BackendLimits.verificationWorkersMax)
        #expect(waiting.allSatisfy { !$0.isThere })
    }

    @Test func `a store that is down is asked less and less often`() throws {
        let site = try Site {
            $0.timings.retryMilliseconds = 400
            $0.timings.retryMillisecondsMax = 100_000
        }
        defer { site.stop() }
        let token = try site.signUp("dora")
        site.store.behave(.hangUp)
        let start = ContinuousClock.now
        _ = try site.submit(token)
        try eventually { site.store.requestCount > 3 }
        // Waits of at least 200, 400 and 800 ms.
        #expect(ContinuousClock.now - start > .milliseconds(1_300))
    }

    @Test func `a receipt for an absent store survives a restart`() throws {
        let site = try Site(storeURL: "http://127.0.0.1:9")
        let token = try site.signUp("dora")
        let id = try site.submit(token).outcome.submissionId
        site.stop()

        let second = try Site(folder: site.folder)
        defer { second.stop() }
        second.store.behave(.answer(Self.verified))
        #expect(try second.waitUntilSettled(id, token).status == .granted)
    }

    @Test func `a replay and another app's receipt are refused`() throws {
        let site = try Site()
        defer { site.stop() }
        let dora = try site.signUp("dora")
        let emil = try site.signUp("emil")
        site.store.behave(.answer(Self.verified))
        #expect(try site.submit(dora).status == 200)
        let replay = try site.submit(emil)
        #expect(replay.status == 403)
        #expect(try replay.outcome.reason == "ownedByAnotherUser")
        site.store.behave(
            .answer(StoreAnswers.verified([.init(transaction: "7")], bundle: "com.example.x")))
        let foreign = try site.submit(emil, transaction: "7")
        #expect(foreign.status == 422)
        #expect(try foreign.outcome.reason == "wrongBundle")
        #expect(site.store.bodies.allSatisfy { $0 == "{\"receipt-data\":\"cmVjZWlwdA==\"}" })
    }

    @Test func `a stopping server tells a waiting app that its receipt is kept`() throws {
        let site = try Site {
            $0.timings.storeCallMilliseconds = 600_000
            $0.timings.answerDeadlineMilliseconds = 600_000
        }
        let token = try site.signUp("dora")
        site.store.behave(.never)
        let waiting = PendingCall { try site.submit(token) }
        try eventually { site.store.requestCount == 1 }
        // Nothing but the stop ends it so soon.
        site.stop()
        #expect(try waiting.value().status == 202)
    }

    @Test func `a second server on the same directory is refused until the first ends`() throws {
        let site = try Site()
        let error = #expect(throws: BackendError.self) { try Site(folder: site.folder) }
        #expect(error?.code == .dataDirectoryInUse)
        #expect(error?.detail.contains("process \(getpid())") == true)
        site.stop()
    }

    @Test func `a port already in use is refused with its number`() throws {
        let site = try Site()
        defer { site.stop() }
        let port = try #require(URL(string: site.server.url)?.port)
        let error = #expect(throws: BackendError.self) {
            try Site { $0.port = UInt16(port) }
        }
        #expect(error?.code == .listener)
        #expect(error?.detail.contains("\(port)") == true)
    }

    @Test(arguments: [7, 9_999])
    func `a database of another version is refused`(number: Int) throws {
        let folder = TemporaryFolder()
        try Database(
            path: folder.path + "/backend.sqlite", durability: .full,
            schema: Schema(oldest: number, tables: [], migrations: [])
        ).close()
        let error = #expect(throws: BackendError.self) { try Site(folder: folder) }
        #expect(error?.code == .database)
        #expect(error?.detail.contains("schema \(number)") == true)
    }

    @Test func `a broken list, an invalid address and an open host are refused`() throws {
        let list = #expect(throws: BackendError.self) {
            try Site { $0.productListFile = "/nowhere.json" }
        }
        #expect(list?.code == .productList)
        let address = #expect(throws: BackendError.self) {
            try Site { $0.sandboxURL = "store" }
        }
        #expect(address?.code == .badConfiguration)
        let host = #expect(throws: BackendError.self) {
            try Site { $0.host = "0.0.0.0" }
        }
        #expect(host?.code == .badConfiguration)
        let authority = #expect(throws: BackendError.self) {
            try Site { $0.certificateAuthorityFile = "/nowhere.pem" }
        }
        #expect(authority?.code == .badConfiguration)
    }

    @Test func `a body above the limit is refused and the server continues`() throws {
        let site = try Site()
        defer { site.stop() }
        let long = String(repeating: " ", count: BackendLimits.bodyMax + 1)
        #expect(try site.send("POST", "/v1/users", long).status == 413)
        #expect(try site.send("GET", "/ready").status == 200)
        #expect(try site.send("GET", "/v1/products").status == 200)
    }
}
