import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer

struct AccountUpkeepTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func signIn(
        _ account: String = "buyer", _ password: String = "rocket-fuel-1", token: String
    ) async throws -> HTTPResponse {
        await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: account, password: password)))
    }

    private func lock(reason: String? = nil, until: Timestamp? = nil) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/accounts/lock",
            body: LockAccountBody(name: "buyer", reason: reason, until: until))
    }

    private func account() async throws -> AccountBody {
        let answer = try await store.control("GET", "/control/v1/accounts")
        return try #require(
            try WireJSON.decode(AccountsBody.self, from: answer.body).accounts.first)
    }

    @Test func `the account list shows devices and locks`() async throws {
        try await store.stock()
        #expect(try await account().devicesSignedIn == 0)
        _ = try await store.signIn()
        _ = try await store.signIn(guid: UUID().uuidString)
        let known = try await account()
        #expect(known.devicesSignedIn == 2)
        #expect(known.lock == nil)
        let until = TestStore.start.adding(milliseconds: 3_600_000)
        #expect(try await lock(reason: "Call us.", until: until).status == 200)
        let locked = try await account()
        #expect(locked.devicesSignedIn == 0)
        #expect(locked.lock == AccountLockBody(by: .owner, reason: "Call us.", until: until))
    }

    @Test func `a lock caused by wrong passwords is shown as such and can be lifted`()
        async throws
    {
        try await store.stock()
        // As if strangers had guessed on many devices.
        try store.registry.defaultWorld.database.write { scope in
            let secret = try scope.reading.accountSecret("buyer", in: .sandbox)
            try scope.saveSignInRecord(
                SignInRecord(failures: SignInRules.nameFailuresMax - 5, lockedUntil: nil),
                of: try #require(secret?.account.id))
        }
        let token = try await store.register()
        for _ in 0..<5 { _ = try await signIn("buyer", "wrong-password", token: token) }
        #expect(try await account().lock?.by == .wrongPasswords)
        #expect(try await signIn(token: token).status == 423)
        let answer = try await store.control(
            "POST", "/control/v1/accounts/unlock", body: NamedAccountBody(name: "buyer"))
        #expect(try WireJSON.decode(AccountBody.self, from: answer.body).lock == nil)
        #expect(try await signIn(token: token).status == 200)
    }

    @Test func `a locked account is signed out at once and learns why only with its password`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        #expect(try await lock(reason: "Call us.").status == 200)
        #expect(errorCode(try await store.attempt(Samples.fuel, token: token)) == "tokenUnknown")
        let again = try await store.register()
        let right = try await signIn(token: again)
        #expect(right.status == 423)
        #expect(String(decoding: right.body, as: UTF8.self).contains("Call us."))
        #expect(right.headers["Retry-After"] == nil)
        _ = try await store.control(
            "POST", "/control/v1/accounts/unlock", body: NamedAccountBody(name: "buyer"))
        #expect(try await signIn(token: again).status == 200)
    }

    @Test func `a lock with an end time ends by the real clock`() async throws {
        try await store.stock()
        let token = try await store.register()
        _ = try await lock(until: TestStore.start.adding(milliseconds: 90_000))
        let locked = try await signIn(token: token)
        #expect(locked.status == 423)
        #expect(locked.headers["Retry-After"] == "90")
        store.move(byMilliseconds: 90_000)
        #expect(try await signIn(token: token).status == 200)
        #expect(try await account().lock == nil)
    }

    @Test func `a stranger cannot tell a locked account, an open one and a missing one apart`()
        async throws
    {
        try await store.stock()
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "open", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        _ = try await lock(reason: "Call us.")
        // A device for each name, since guesses count together on a device.
        var tokens: [String: String] = [:]
        for name in ["buyer", "open", "nobody"] {
            tokens[name] = try await store.register(guid: UUID().uuidString)
        }
        var heard: [String: [HTTPResponse]] = [:]
        for round in 0..<3 {
            // A round of guesses that ends in a lock, then the lock's end.
            for _ in 0..<(round == 0 ? 7 : 2) {
                for name in ["buyer", "open", "nobody"] {
                    heard[name, default: []].append(
                        try await signIn(
                            name, "wrong-password", token: try #require(tokens[name])))
                }
            }
            store.move(byMilliseconds: SignInRules.lockMillisecondsMin << Int64(round))
        }
        #expect(
            heard["nobody"]?.map(\.status) == [401, 401, 401, 401, 401, 423, 423]
                + [401, 423] + [401, 423])
        #expect(heard["buyer"] == heard["nobody"])
        #expect(heard["open"] == heard["nobody"])
        let kept = try store.registry.defaultWorld.database.read {
            try $0.rows("SELECT digest FROM unknown_name")
        }
        #expect(kept.count == 1)
        #expect(kept.first?.blob(0).count == 32, "only a digest of the name is kept")
    }

    @Test func `the number of unknown account names remembered is limited`() throws {
        let database = store.registry.defaultWorld.database
        for number in UInt8(0)..<8 {
            try database.write { scope in
                try scope.saveUnknownName(
                    digest: [number], SignInRecord(failures: 1, lockedUntil: nil),
                    realNow: Timestamp(seconds: Int64(number)), countMax: 3)
            }
        }
        let kept = try database.read {
            try $0.rows("SELECT digest FROM unknown_name ORDER BY digest").map { $0.blob(0) }
        }
        #expect(kept == [[5], [6], [7]])
    }

    @Test func `a new password ends the sessions opened with the old one`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let fresh = try await store.register(guid: UUID().uuidString)
        for _ in 0..<5 { _ = try await signIn("buyer", "wrong-password", token: fresh) }
        let answer = try await store.control(
            "POST", "/control/v1/accounts/password",
            body: ResetPasswordBody(name: "buyer", password: "another-fuel-2"))
        #expect(answer.status == 200)
        #expect(try WireJSON.decode(AccountBody.self, from: answer.body).devicesSignedIn == 0)
        let old = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(errorCode(old) == "tokenUnknown")
        #expect(try await signIn(token: fresh).status == 401)
        #expect(try await signIn("buyer", "another-fuel-2", token: fresh).status == 200)
        #expect(!store.lines.all.joined().contains("another-fuel-2"))
    }

    @Test func `signing out everywhere signs out every device and ends every waiting poll`()
        async throws
    {
        try await store.stock()
        let tokens = [
            try await store.signIn(), try await store.signIn(guid: UUID().uuidString),
        ]
        let polls = await withTaskGroup(of: HTTPResponse.self) { group in
            for token in tokens {
                group.addTask { [store] in
                    await store.send(
                        "GET", "/sandbox/device/v1/updates?after=0&wait=25", token: token)
                }
            }
            group.addTask { [store] in
                while store.parts.polls.count < tokens.count { await Task.yield() }
                let answer = try? await store.control(
                    "POST", "/control/v1/accounts/sign-out",
                    body: NamedAccountBody(name: "buyer"))
                #expect(answer?.status == 200)
                return answer ?? .json([])
            }
            var answers: [HTTPResponse] = []
            for await answer in group where answer.status != 200 { answers.append(answer) }
            return answers
        }
        #expect(polls.count == 2)
        #expect(polls.allSatisfy { errorCode($0) == "tokenUnknown" })
        for token in tokens {
            let answer = try await store.attempt(Samples.fuel, token: token)
            #expect(errorCode(answer) == "tokenUnknown")
        }
        #expect(try await account().devicesSignedIn == 0)
        let again = try await store.signIn()
        #expect(try await store.attempt(Samples.fuel, token: again).status == 200)
    }

    @Test func `purchases racing with a sign-out are sold or refused, never lost`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask { [store] in
                    if number == 30 {
                        return try await store.control(
                            "POST", "/control/v1/accounts/sign-out",
                            body: NamedAccountBody(name: "buyer")
                        ).status + 1_000
                    }
                    return try await store.attempt(Samples.fuel, token: token).status
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(Set(statuses.keys).isSubset(of: [200, 401, 1_200]))
        let sold = try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM store_transaction")?.integer(0)
        }
        #expect(sold == Int64(statuses[200] ?? 0))
    }

    @Test func `a sign-in that races with a lock leaves nobody signed in`() async throws {
        try await store.stock()
        for _ in 0..<4 {
            let token = try await store.register(guid: UUID().uuidString)
            async let signedIn = signIn(token: token)
            async let locked = lock()
            let statuses = try await (signedIn.status, locked.status)
            #expect([200, 423].contains(statuses.0) && statuses.1 == 200)
            #expect(try await account().devicesSignedIn == 0)
            _ = try await store.control(
                "POST", "/control/v1/accounts/unlock", body: NamedAccountBody(name: "buyer"))
        }
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        let status: Int
        var testDescription: String { "\(path) \(body.prefix(60))" }
    }

    @Test(arguments: [
        Bad(path: "lock", body: "", status: 400),
        Bad(path: "lock", body: #"{"reason":"x"}"#, status: 400),
        Bad(path: "lock", body: #"{"name":7}"#, status: 400),
        Bad(path: "lock", body: #"{"name":"nobody"}"#, status: 404),
        Bad(path: "lock", body: #"{"name":"buyer","environment":"production"}"#, status: 404),
        Bad(path: "lock", body: #"{"name":"buyer","environment":"xcode"}"#, status: 400),
        Bad(path: "lock", body: #"{"name":"buyer","until":1714558830123}"#, status: 422),
        Bad(path: "lock", body: #"{"name":"buyer","until":"soon"}"#, status: 400),
        Bad(path: "lock", body: #"{"name":"buyer","reason":"a\u0007b"}"#, status: 422),
        Bad(
            path: "lock",
            body: #"{"name":"buyer","reason":"\#(String(repeating: "x", count: 501))"}"#,
            status: 422),
        Bad(path: "unlock", body: "[]", status: 400),
        Bad(path: "unlock", body: #"{"name":"nobody"}"#, status: 404),
        Bad(path: "sign-out", body: #"{"name":null}"#, status: 400),
        Bad(path: "sign-out", body: #"{"name":"nobody"}"#, status: 404),
        Bad(path: "password", body: #"{"name":"buyer"}"#, status: 400),
        Bad(path: "password", body: #"{"name":"buyer","password":"short"}"#, status: 422),
        Bad(
            path: "password",
            body: #"{"name":"buyer","password":"\#(String(repeating: "x", count: 1_025))"}"#,
            status: 422),
        Bad(path: "password", body: #"{"name":"nobody","password":"long-enough"}"#, status: 404),
    ])
    func `a refused account change changes nothing`(bad: Bad) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send(
            "POST", "/control/v1/accounts/\(bad.path)", token: TestStore.controlToken,
            body: Array(bad.body.utf8))
        #expect(answer.status == bad.status, "\(String(decoding: answer.body, as: UTF8.self))")
        #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
        #expect(try await account().lock == nil)
    }
}

extension HTTPResponse {
    func expectStatus(_ wanted: Int) {
        #expect(status == wanted, "\(String(decoding: body, as: UTF8.self))")
    }
}
