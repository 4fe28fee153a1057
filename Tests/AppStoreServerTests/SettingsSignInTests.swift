import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Where which kind of account may sign in.
struct SettingsSignInTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let account: String
        let environment: String
        let place: SignInBody.Place?
        /// Nil when it works.
        let code: String?

        var testDescription: String { "\(account) in \(environment) from \(place as Any)" }
    }

    private func stock() async throws {
        try await store.stock()
        let made = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .production, name: "real", password: "rocket-fuel-1",
                storefront: nil))
        #expect(made.status == 201)
    }

    private func signIn(
        _ account: String, _ password: String = "rocket-fuel-1", in environment: String,
        from place: SignInBody.Place?
    ) async throws -> HTTPResponse {
        let token = try await store.register(guid: UUID().uuidString, in: "/" + environment)
        return await store.send(
            "POST", "/\(environment)/device/v1/sign-in", token: token,
            body: try WireJSON.encode(
                SignInBody(account: account, password: password, from: place)))
    }

    @Test(arguments: [
        Row(account: "buyer", environment: "sandbox", place: nil, code: nil),
        Row(account: "buyer", environment: "sandbox", place: .sheet, code: nil),
        Row(
            account: "buyer", environment: "sandbox", place: .settings,
            code: "testAccountInSettings"),
        Row(account: "buyer", environment: "production", place: .settings, code: "testAccount"),
        Row(account: "buyer", environment: "production", place: .sheet, code: "testAccount"),
        Row(account: "real", environment: "production", place: .settings, code: nil),
        Row(account: "real", environment: "production", place: .sheet, code: nil),
        Row(account: "real", environment: "sandbox", place: .sheet, code: "realAccount"),
        Row(
            account: "real", environment: "sandbox", place: .settings,
            code: "testAccountInSettings"),
    ])
    func `an account signs in only in the place for its environment`(row: Row) async throws {
        try await stock()
        let answer = try await signIn(row.account, in: row.environment, from: row.place)
        #expect(errorCode(answer) == row.code)
        #expect(answer.status == (row.code == nil ? 200 : 403))
    }

    @Test func `a wrong password never reveals that the account belongs to the other environment`()
        async throws
    {
        try await stock()
        let wrong = try await signIn("buyer", "guess-guess", in: "production", from: .settings)
        let unknown = try await signIn("nobody", "guess-guess", in: "production", from: .settings)
        #expect(errorCode(wrong) == "passwordWrong")
        #expect(wrong == unknown)
    }

    @Test func `password guesses in the other environment count, too`() async throws {
        try await stock()
        // As if strangers had guessed on many devices.
        try store.registry.defaultWorld.database.write { scope in
            let secret = try scope.reading.accountSecret("buyer", in: .sandbox)
            try scope.saveSignInRecord(
                SignInRecord(failures: SignInRules.nameFailuresMax - 1, lockedUntil: nil),
                of: try #require(secret?.account.id))
        }
        _ = try await signIn("buyer", "guess-guess", in: "production", from: .settings)
        let answer = try await signIn("buyer", in: "sandbox", from: .sheet)
        #expect(errorCode(answer) == "accountLocked")
    }

    @Test func `an unknown sign-in place is refused`() async throws {
        try await stock()
        let token = try await store.register()
        let answer = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: token,
            body: Array(#"{"account":"buyer","password":"rocket-fuel-1","from":"moon"}"#.utf8))
        #expect(answer.status == 400)
    }

    @Test func `a waiting app hears at once that its account was signed out`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        async let poll = store.send(
            "GET", "/sandbox/device/v1/updates?after=0&wait=25", token: token)
        // The poll may not wait yet; then it finds its token gone.
        let out = await store.send("POST", "/sandbox/device/v1/sign-out", token: token)
        #expect(out.status == 200)
        #expect(errorCode(await poll) == "tokenUnknown")
    }
}
