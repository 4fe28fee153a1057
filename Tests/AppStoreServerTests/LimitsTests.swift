import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import AppStoreServer

/// Every limit of the store that a request can meet: what is just allowed, and what is not.
/// Bodies, headers and connections are met over sockets elsewhere.
struct LimitsTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    private func register(bundleID: String, version: String) async throws -> HTTPResponse {
        await store.send(
            "POST", "/sandbox/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: bundleID, appVersion: version)))
    }

    @Test func `a device's bundle identifier and version are limited`() async throws {
        try await store.stock()
        let version = text(Limits.appVersionBytesMax)
        let id = TestStore.bundleID
        #expect(try await register(bundleID: id, version: version).status == 200)
        #expect(try await register(bundleID: id, version: version + "a").status == 422)
        let bundleID = text(Limits.identifierBytesMax)
        #expect(try await register(bundleID: bundleID, version: "1").status == 404)
        #expect(try await register(bundleID: bundleID + "a", version: "1").status == 422)
    }

    @Test func `the number of values in a verifyReceipt request is limited`() async throws {
        // The object, the receipt and the list are three.
        for (count, status) in [(97, 21002), (98, 21000)] as [(Int, Int64)] {
            #expect(count + 3 <= SentReceipt.valuesMax || status == 21000)
            let list = Array(repeating: "0", count: count).joined(separator: ",")
            let answer = await store.send(
                "POST", "/sandbox/verifyReceipt",
                body: Array(#"{"receipt-data":"AAAA","more":[\#(list)]}"#.utf8))
            #expect(try JSONValue(parsing: answer.body)["status"]?.integer == status)
        }
    }

    @Test func `a large body counts for the owner, for an account or for strangers`() async throws {
        try await store.stock()
        let verify = "/sandbox/verifyReceipt"
        let fresh = try await store.register()
        #expect(store.sender(verify, token: nil) == .stranger)
        #expect(store.sender(verify, token: "made-up") == .stranger)
        #expect(store.sender(verify, token: fresh) == .stranger, "anyone can register a device")
        let first = try await store.signIn()
        let second = try await store.signIn(guid: UUID().uuidString)
        guard case .account(let name) = store.sender(verify, token: first) else {
            Issue.record("a signed-in device is known")
            return
        }
        #expect(store.sender(verify, token: second) == .account(name), "its devices share")
        #expect(store.sender("/production/verifyReceipt", token: first) == .stranger)
        #expect(store.sender("/t/other/sandbox/verifyReceipt", token: first) == .stranger)
        let control = "/control/v1/accounts"
        #expect(store.sender(control, token: first) == .stranger)
        #expect(store.sender(control, token: TestStore.controlToken) == .owner)
        #expect(
            store.sender(
                control, token: TestStore.controlToken, headers: [("Host", "elsewhere.test")])
                == .stranger)
    }

    @Test func `a purchase request's product and user name are limited`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let longest = text(Limits.identifierBytesMax)
        #expect(try await store.attempt(longest, token: token).status == 200)
        #expect(try await store.attempt(longest + "a", token: token).status == 422)
        #expect(try await store.attempt("", token: token).status == 422)
        let named = try await store.attempt(Samples.fuel, username: longest, token: token)
        #expect(named.status == 200)
        for username in [longest + "a", "a\u{0}b", "a\nb"] {
            let refused = try await store.attempt(Samples.fuel, username: username, token: token)
            #expect(refused.status == 422)
        }
    }

    @Test func `the number of products and the locale in a products request are limited`()
        async throws
    {
        try await store.stock()
        let token = try await store.register()
        func ask(_ count: Int, locale: String?) async throws -> Int {
            await store.send(
                "POST", "/sandbox/device/v1/products", token: token,
                body: try WireJSON.encode(
                    ProductsRequestBody(
                        productIdentifiers: (0..<count).map { "p\($0)" }, locale: locale))
            ).status
        }
        #expect(try await ask(Limits.productIdentifiersMax, locale: nil) == 200)
        #expect(try await ask(Limits.productIdentifiersMax + 1, locale: nil) == 422)
        #expect(try await ask(1, locale: text(Limits.localeBytesMax)) == 200)
        #expect(try await ask(1, locale: text(Limits.localeBytesMax + 1)) == 422)
    }

    @Test func `account names and passwords are limited`() async throws {
        func make(_ name: String, _ password: String) async throws -> Int {
            try await store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: name, password: password, storefront: nil)
            ).status
        }
        let name = text(Limits.accountNameBytesMax)
        #expect(try await make(name, text(Limits.passwordBytesMax)) == 201)
        #expect(try await make(name + "a", "long-enough") == 422)
        #expect(try await make("b", text(Limits.passwordBytesMax + 1)) == 422)
        #expect(try await make("c", text(AccountService.passwordCharactersMin)) == 201)
        #expect(try await make("d", text(AccountService.passwordCharactersMin - 1)) == 422)
    }

    @Test func `a sign-in beyond the waiting limit is asked to come back later`() async throws {
        try await store.stock()
        let token = try await store.register()
        let workers = store.parts.passwords
        let gate = DispatchSemaphore(value: 0)
        let running = DispatchSemaphore(value: 0)
        let filling = Limits.signInsWaitingMax + PasswordWorkers.runningMax
        for number in 0..<filling {
            workers.start(
                for: "\(number)", by: .stranger(world: "w", DeviceID(Int64(number))),
                refuse: { _ in },
                {
                    running.signal()
                    gate.wait()
                })
            // A worker's body takes no waiting place.
            if number < PasswordWorkers.runningMax { running.wait() }
        }
        let answer = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1")))
        #expect(answer.status == 503)
        #expect(errorCode(answer) == "signInBusy")
        for _ in 0..<filling { gate.signal() }
    }

    @Test func `an answer holds a limited number of events and the next one continues`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let count = Limits.eventsPerAnswerMax + 3
        for _ in 0..<count { _ = try await store.buy(Samples.fuel, token: token) }
        func updates(after: Int64) async throws -> UpdatesBody {
            let answer = await store.send(
                "GET", "/sandbox/device/v1/updates?after=\(after)", token: token)
            return try WireJSON.decode(UpdatesBody.self, from: answer.body)
        }
        let first = try await updates(after: 0)
        #expect(first.events.count == Limits.eventsPerAnswerMax)
        let second = try await updates(after: first.cursor)
        #expect(second.events.count == 3)
        #expect(second.events.last?.number == Int64(count))
    }

    @Test(arguments: ["after=-1", "after=x", "after=99999999999999999999", "wait=-1", "wait=x"])
    func `a query value that is not a number is refused`(query: String) async throws {
        try await store.stock()
        let answer = await store.send(
            "GET", "/sandbox/device/v1/updates?\(query)", token: try await store.signIn())
        #expect(answer.status == 400)
        #expect(errorCode(answer) == "badQuery")
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "GET"])
    func `verifyReceipt takes a body of 16 MiB by any method`(method: String) {
        for path in [["sandbox", "verifyReceipt"], ["t", "one", "production", "verifyReceipt"]] {
            #expect(RoutePlace(path).bodyBytesMax(method: method) == Limits.receiptBodyMax)
        }
        let other = RoutePlace(["sandbox", "device", "v1", "products"])
        #expect(other.bodyBytesMax(method: method) == Limits.bodyMax)
    }

    @Test func `test sessions beyond the limit are refused`() throws {
        let folder = TemporaryFolder()
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 1), sessionsMax: 2)
        defer { registry.close() }
        let names = try ["a", "b", "c"].map { try #require(WorldName($0)) }
        _ = try registry.make(names[0])
        _ = try registry.make(names[1])
        let refusal = #expect(throws: Refusal.self) { try registry.make(names[2]) }
        #expect(refusal?.code == "tooManyWorlds")
        try registry.delete(names[0])
        _ = try registry.make(names[2])
    }
}
