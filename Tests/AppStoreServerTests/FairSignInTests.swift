import Dispatch
import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Who can sign in while strangers guess passwords.
struct FairSignInTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func signIn(
        _ account: String, _ password: String = "rocket-fuel-1", token: String,
        from network: [UInt8]? = nil
    ) async throws -> HTTPResponse {
        await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: account, password: password)),
            peer: Peer(connection: 1, network: network))
    }

    private func device() async throws -> String {
        try await store.register(guid: UUID().uuidString)
    }

    private func guess(_ count: Int, at account: String, token: String) async throws {
        for _ in 0..<count {
            #expect(try await signIn(account, "wrong-password", token: token).status == 401)
        }
    }

    /// As if strangers had guessed so often, from many devices.
    private func setFailures(_ count: Int, of account: String) throws {
        try store.registry.defaultWorld.database.write { scope in
            let secret = try scope.reading.accountSecret(account, in: .sandbox)
            try scope.saveSignInRecord(
                SignInRecord(failures: count, lockedUntil: nil),
                of: try #require(secret?.account.id))
        }
    }

    @Test func `a stranger's five guesses lock the stranger's device and nobody else`() async throws
    {
        try await store.stock()
        let stranger = try await device()
        try await guess(SignInRules.deviceFailuresMax, at: "buyer", token: stranger)
        let locked = try await signIn("buyer", token: stranger)
        #expect(locked.status == 423)
        #expect(locked.headers["Retry-After"] == "60")
        #expect(try await signIn("buyer", token: try await device()).status == 200)
    }

    @Test func `guesses at different names count together on a device`() async throws {
        try await store.stock()
        let stranger = try await device()
        for number in 0..<SignInRules.deviceFailuresMax {
            try await guess(1, at: "made-up-\(number)", token: stranger)
        }
        #expect(try await signIn("another", token: stranger).status == 423)
    }

    private func add(
        _ account: String, in environment: StoreEnvironment = .sandbox
    ) async throws {
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: environment, name: account, password: "rocket-fuel-1",
                storefront: nil)
        ).expectStatus(201)
    }

    @Test func `an account of one's own does not clear a device's guesses at others`()
        async throws
    {
        try await store.stock()
        try await add("mallory")
        let stranger = try await device()
        try await guess(SignInRules.deviceFailuresMax - 1, at: "buyer", token: stranger)
        let own = try await signIn("mallory", token: stranger)
        let token = try WireJSON.decode(DeviceSessionBody.self, from: own.body).deviceToken
        try await guess(1, at: "buyer", token: token)
        #expect(try await signIn("mallory", token: token).status == 423)
    }

    @Test func `a correct password clears what was guessed at its own name`() async throws {
        try await store.stock()
        var token = try await device()
        for _ in 0..<3 {
            try await guess(SignInRules.deviceFailuresMax - 1, at: "buyer", token: token)
            let right = try await signIn("buyer", token: token)
            token = try WireJSON.decode(DeviceSessionBody.self, from: right.body).deviceToken
        }
    }

    @Test func `a device forgets its guesses after a day`() async throws {
        try await store.stock()
        let token = try await device()
        for _ in 0..<3 {
            for number in 1..<SignInRules.deviceFailuresMax {
                try await guess(1, at: "made-up-\(number)", token: token)
            }
            store.move(byMilliseconds: SignInRules.rememberedMilliseconds)
        }
        try await guess(SignInRules.deviceFailuresMax, at: "buyer", token: token)
        #expect(try await signIn("buyer", token: token).status == 423)
    }

    @Test func `unlocking an account unlocks only the devices that are locked because of it`()
        async throws
    {
        try await store.stock()
        try await add("mallory")
        let countMax = SignInRules.deviceFailuresMax
        let (atBuyer, atBoth, atMallory) = (
            try await device(), try await device(), try await device()
        )
        try await guess(countMax, at: "buyer", token: atBuyer)
        store.move(byMilliseconds: SignInRules.lockMillisecondsMin)
        try await guess(1, at: "mallory", token: atBuyer)
        try await guess(countMax - 1, at: "buyer", token: atBoth)
        try await guess(1, at: "mallory", token: atBoth)
        try await guess(countMax, at: "mallory", token: atMallory)
        for token in [atBuyer, atBoth, atMallory] {
            #expect(try await signIn("buyer", token: token).status == 423)
        }
        try await store.control(
            "POST", "/control/v1/accounts/unlock", body: NamedAccountBody(name: "mallory")
        ).expectStatus(200)
        #expect(try await signIn("buyer", token: atBuyer).status == 423)
        try await guess(1, at: "buyer", token: atBoth)
        #expect(try await signIn("buyer", token: atBoth).status == 423, "four were left")
        #expect(try await signIn("buyer", token: atMallory).status == 200)
    }

    @Test(arguments: [false, true])
    func `unlocking a test account unlocks a device of production unless its name is taken there`(
        isTaken: Bool
    ) async throws {
        try await store.stock()
        if isTaken { try await add("buyer", in: .production) }
        let token = try await store.register(guid: UUID().uuidString, in: "/production")
        func signIn() async throws -> HTTPResponse {
            await store.send(
                "POST", "/production/device/v1/sign-in", token: token,
                body: try WireJSON.encode(SignInBody(account: "buyer", password: "wrong")))
        }
        for _ in 0..<SignInRules.deviceFailuresMax {
            #expect(try await signIn().status == 401)
        }
        try await store.control(
            "POST", "/control/v1/accounts/unlock", body: NamedAccountBody(name: "buyer")
        ).expectStatus(200)
        #expect(try await signIn().status == (isTaken ? 423 : 401))
    }

    @Test func `many strangers lock a name for new devices and not where it signed in before`()
        async throws
    {
        try await store.stock()
        let known = try await store.signIn()
        let out = await store.send("POST", "/sandbox/device/v1/sign-out", token: known)
        let signedOut = try WireJSON.decode(DeviceSessionBody.self, from: out.body).deviceToken
        try setFailures(SignInRules.nameFailuresMax - 1, of: "buyer")
        try await guess(1, at: "buyer", token: try await device())
        let new = try await signIn("buyer", token: try await device())
        #expect(new.status == 423)
        #expect(errorCode(new) == "accountLocked")
        #expect(try await signIn("buyer", token: signedOut).status == 200)
    }

    @Test func `a device on which the account signed in has its own five guesses`() async throws {
        try await store.stock()
        let known = try await store.signIn()
        try await guess(SignInRules.deviceFailuresMax, at: "buyer", token: known)
        #expect(try await signIn("buyer", token: known).status == 423)
        store.move(byMilliseconds: SignInRules.lockMillisecondsMin)
        #expect(try await signIn("buyer", token: known).status == 200)
        #expect(try await signIn("buyer", token: try await device()).status == 200)
    }

    @Test func `guesses from one address are limited except where the account signed in`()
        async throws
    {
        try await store.stock()
        let known = try await store.signIn()
        let network: [UInt8] = [10, 0, 0, 7]
        let now = TestStore.start.milliseconds
        for _ in 0..<(Limits.guessesAtOnceMax - 1) {
            #expect(store.parts.guesses.take(network, atMilliseconds: now) == nil)
        }
        let stranger = try await device()
        let wrong = try await signIn("buyer", "wrong-password", token: stranger, from: network)
        #expect(wrong.status == 401, "the last guess")
        let limited = try await signIn("buyer", token: try await device(), from: network)
        #expect(limited.status == 429)
        #expect(errorCode(limited) == "tooManyGuesses")
        #expect(limited.headers["Retry-After"] == "6")
        #expect(try await signIn("buyer", token: known, from: network).status == 200)
        #expect(
            try await signIn("buyer", token: try await device(), from: [10, 0, 0, 8]).status
                == 200)
        #expect(try await signIn("buyer", token: try await device()).status == 200)
        store.move(byMilliseconds: 6_000)
        let later = try await signIn("buyer", token: try await device(), from: network)
        #expect(later.status == 200)
    }

    @Test func `a known device signs in ahead of strangers who fill every waiting place`()
        async throws
    {
        try await store.stock()
        let known = try await store.signIn()
        let workers = store.parts.passwords
        let gates = (0..<PasswordWorkers.runningMax).map { _ in DispatchSemaphore(value: 0) }
        let running = DispatchSemaphore(value: 0)
        for (number, gate) in gates.enumerated() {
            workers.start(for: "busy \(number)", by: .owner, refuse: { _ in }) {
                running.signal()
                gate.wait()
            }
        }
        for _ in gates { running.wait() }
        let ended = Lines()
        let strangers = DispatchSemaphore(value: 0)
        for number in 0..<Limits.signInsWaitingMax {
            workers.start(
                for: "made-up \(number)", by: .stranger(world: "w", DeviceID(Int64(number))),
                refuse: { _ in ended.add("refused") },
                {
                    // Whoever is served after one of them waits for ever.
                    strangers.wait()
                    ended.add("stranger")
                })
        }
        #expect(ended.all.isEmpty, "all have a place")
        let refused = try await signIn("buyer", token: try await device())
        #expect(errorCode(refused) == "signInBusy", "each stranger has one place as well")
        store.start(
            "POST", "/sandbox/device/v1/sign-in", token: known,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1"))
        ) { ended.add("known \($0.status)") }
        for gate in gates { gate.signal() }
        try await store.until { ended.all == ["known 200"] }
        for _ in 0..<Limits.signInsWaitingMax { strangers.signal() }
        try await store.until { ended.all.count == Limits.signInsWaitingMax + 1 }
    }
}
