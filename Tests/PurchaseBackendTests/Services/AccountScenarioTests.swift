import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

@Suite(.ownThreads) struct AccountScenarioTests {
    private let dora = "{\"name\":\"dora\",\"password\":\"correct horse\"}"

    @Test func `sign-up, sign-in and sign-out give the documented answers`() throws {
        let rig = try Rig()
        let signedUp = try rig.send("POST", "/v1/users", dora)
        try expectGolden(signedUp.transcript, "users-created")
        let signedIn = try rig.send("POST", "/v1/sessions", dora)
        try expectGolden(signedIn.transcript, "sessions-created")
        let token = try WireJSON.decode(BackendSessionBody.self, from: signedIn.body).token
        #expect(try rig.send("GET", "/v1/purchases", token: token).status == 200)
        #expect(try rig.send("DELETE", "/v1/sessions", token: token).transcript == "204\n")
        try expectGolden(
            rig.send("GET", "/v1/purchases", token: token).transcript, "not-signed-in")
        // The session of the sign-up is another one.
        let first = try WireJSON.decode(BackendSessionBody.self, from: signedUp.body).token
        #expect(try rig.send("GET", "/v1/purchases", token: first).status == 200)
    }

    @Test func `a taken user name is refused in any spelling`() throws {
        let rig = try Rig()
        _ = try rig.signUp("dora")
        let again = "{\"name\":\"DORA\",\"password\":\"another horse\"}"
        try expectGolden(rig.send("POST", "/v1/users", again).transcript, "users-name-taken")
        #expect(try rig.count("SELECT count(*) FROM users") == 1)
    }

    @Test func `of concurrent sign-ups of one name, one succeeds`() throws {
        let rig = try Rig()
        let pending = (0..<8).map { _ in rig.begin("POST", "/v1/users", dora) }
        let statuses = try pending.map { try $0.answer().status }.sorted()
        #expect(statuses == [201] + Array(repeating: 409, count: 7))
        #expect(try rig.count("SELECT count(*) FROM sessions") == 1)
    }

    @Test func `sign-ups beyond the limit per minute are refused and change nothing`() throws {
        let rig = try Rig()
        let now = rig.clock.now.milliseconds
        for _ in 0..<BackendLimits.signUpsAtOnceMax {
            #expect(rig.parts.accounts.signUps.take(atMilliseconds: now) == nil)
        }
        let refused = try rig.send("POST", "/v1/users", dora)
        try expectGolden(refused.transcript, "users-too-many")
        #expect(refused.headers["Retry-After"] == "1")
        #expect(try rig.count("SELECT count(*) FROM users") == 0)
        // Who is a user already is not concerned.
        _ = try rig.signUp("emil")
        let emil = "{\"name\":\"emil\",\"password\":\"correct horse\"}"
        #expect(try rig.send("POST", "/v1/sessions", emil).status == 200)
        rig.clock.advance(milliseconds: 1_000)
        #expect(try rig.send("POST", "/v1/users", dora).status == 201)
    }

    @Test(arguments: [
        ("users-bad-name", "{\"name\":\"d\",\"password\":\"correct horse\"}"),
        ("users-bad-password", "{\"name\":\"dora\",\"password\":\"horse\"}"),
        ("users-bad-body", "{\"name\":\"dora\"}"),
    ])
    func `a sign-up that breaks a rule names the rule`(golden: String, body: String) throws {
        try expectGolden(Rig().send("POST", "/v1/users", body).transcript, golden)
    }

    @Test func `an unknown name and a wrong password get the same answer`() throws {
        let rig = try Rig()
        _ = try rig.signUp("dora")
        let wrong = try rig.send(
            "POST", "/v1/sessions", "{\"name\":\"dora\",\"password\":\"wrong horse\"}")
        let unknown = try rig.send(
            "POST", "/v1/sessions", "{\"name\":\"nobody\",\"password\":\"wrong horse\"}")
        try expectGolden(wrong.transcript, "sessions-wrong")
        #expect(wrong == unknown)
    }

    @Test(arguments: ["dora", "nobody"])
    func `a name is locked after repeated guesses, known or not`(name: String) throws {
        let rig = try Rig()
        _ = try rig.signUp("dora")
        let guess = "{\"name\":\"\(name)\",\"password\":\"wrong horse\"}"
        for _ in 0..<BackendLimits.guessesMax {
            #expect(try rig.send("POST", "/v1/sessions", guess).status == 401)
        }
        try expectGolden(rig.send("POST", "/v1/sessions", guess).transcript, "sessions-locked")
        let right = "{\"name\":\"\(name)\",\"password\":\"correct horse\"}"
        #expect(try rig.send("POST", "/v1/sessions", right).status == 423)
        rig.clock.advance(milliseconds: BackendLimits.lockOutMilliseconds)
        let after = try rig.send("POST", "/v1/sessions", right).status
        #expect(after == (name == "dora" ? 200 : 401))
    }

    @Test func `a stranger's guesses do not lock a device that signed in before`() throws {
        let rig = try Rig()
        let token = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        let wrong = "{\"name\":\"dora\",\"password\":\"wrong horse\"}"
        for _ in 0..<BackendLimits.guessesMax {
            #expect(try rig.send("POST", "/v1/sessions", wrong).status == 401)
        }
        #expect(try rig.send("POST", "/v1/sessions", dora).status == 423)
        #expect(try rig.send("POST", "/v1/sessions", token: emil, dora).status == 423)
        #expect(try rig.send("POST", "/v1/sessions", token: token, dora).status == 200)
        // Its own guesses count.
        for _ in 0..<BackendLimits.guessesMax {
            #expect(try rig.send("POST", "/v1/sessions", token: token, wrong).status == 401)
        }
        #expect(try rig.send("POST", "/v1/sessions", token: token, dora).status == 423)
    }

    @Test func `a sign-in session ends after its time`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.clock.advance(milliseconds: BackendLimits.sessionLifetimeMilliseconds - 1)
        #expect(try rig.send("GET", "/v1/purchases", token: token).status == 200)
        rig.clock.advance(milliseconds: 1)
        #expect(try rig.send("GET", "/v1/purchases", token: token).status == 401)
    }

    @Test func `a user's oldest session ends when there are too many`() throws {
        let rig = try Rig()
        let first = try rig.signUp()
        for _ in 0..<BackendLimits.sessionsPerUserMax {
            rig.clock.advance(milliseconds: 1)
            #expect(try rig.send("POST", "/v1/sessions", dora).status == 200)
        }
        let count = try rig.count(
            "SELECT count(*) FROM sessions WHERE expires_at > \(rig.clock.now.milliseconds)")
        #expect(count == Int64(BackendLimits.sessionsPerUserMax))
        #expect(try rig.send("GET", "/v1/purchases", token: first).status == 401)
    }

    /// Adds sessions of the only user.
    private func addSessions(_ count: Int, areEnded: Bool, in rig: Rig) throws {
        try rig.database.write { scope in
            let user: BackendUserID? = try scope.value("SELECT id FROM users")
            for number in 0..<count {
                let hash = [UInt8(number >> 8), UInt8(number & 255)]
                try SessionRecords.insert(
                    scope, tokenHash: hash, user: try #require(user),
                    now: rig.clock.now.adding(milliseconds: Int64(number + 1)))
                if areEnded { try SessionRecords.end(scope, tokenHash: hash) }
            }
        }
    }

    private func guess(_ rig: Rig) throws {
        let wrong = "{\"name\":\"dora\",\"password\":\"wrong horse\"}"
        for _ in 0..<BackendLimits.guessesMax {
            #expect(try rig.send("POST", "/v1/sessions", wrong).status == 401)
        }
        #expect(try rig.send("POST", "/v1/sessions", dora).status == 423)
    }

    enum End: CaseIterable { case signedOut, outnumbered, expired }

    @Test(arguments: End.allCases)
    func `strangers lock out no device whose session has ended`(end: End) throws {
        let rig = try Rig()
        let token = try rig.signUp("dora")
        switch end {
        case .signedOut:
            #expect(try rig.send("DELETE", "/v1/sessions", token: token).status == 204)
            // A clock that is put back does not sign it in again.
            rig.clock.advance(milliseconds: -1_000)
        case .outnumbered:
            try addSessions(BackendLimits.sessionsPerUserMax, areEnded: false, in: rig)
        case .expired:
            rig.clock.advance(milliseconds: BackendLimits.sessionLifetimeMilliseconds)
            try addSessions(1, areEnded: false, in: rig)
        }
        #expect(try rig.send("GET", "/v1/purchases", token: token).status == 401)
        try guess(rig)
        #expect(try rig.send("POST", "/v1/sessions", token: token, dora).status == 200)
    }

    @Test func `only a user's newest ended sessions are remembered`() throws {
        let rig = try Rig()
        let token = try rig.signUp("dora")
        _ = try rig.send("DELETE", "/v1/sessions", token: token)
        let open = try WireJSON.decode(
            BackendSessionBody.self, from: rig.send("POST", "/v1/sessions", dora).body
        ).token
        try addSessions(BackendLimits.endedSessionsPerUserMax + 1, areEnded: true, in: rig)
        let countMax = Int64(BackendLimits.endedSessionsPerUserMax) + 2
        #expect(try rig.count("SELECT count(*) FROM sessions") == countMax)
        #expect(
            try rig.send("GET", "/v1/purchases", token: open).status == 200,
            "older than all of them, and not ended")
        try guess(rig)
        #expect(try rig.send("POST", "/v1/sessions", token: token, dora).status == 423)
    }

    @Test func `neither tokens nor passwords are stored or logged in plain text`() throws {
        let rig = try Rig()
        let body = try rig.send("POST", "/v1/users", dora).body
        let token = try WireJSON.decode(BackendSessionBody.self, from: body).token
        let user = try rig.database.read { scope in
            try scope.row("SELECT password_hash FROM users")?.text(0)
        }
        #expect(user?.hasPrefix("scrypt$") == true)
        let stored = try rig.database.read { scope in
            try scope.row("SELECT token_hash FROM sessions")?.blob(0)
        }
        #expect(stored?.count == 32)
        #expect(stored != Array(token.utf8))
        #expect(!rig.log.contains { $0.contains(token) || $0.contains("horse") })
        #expect(rig.log.contains { $0.contains("\"event\":\"user.created\",\"request\":") })
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Basic ZG9yYTpob3JzZQ==", "Bearer x", "bearer \u{0}",
    ])
    func `an invalid token is not signed in`(header: String) throws {
        let answer = try Rig().send(
            "GET", "/v1/purchases", headers: [("Authorization", header)])
        #expect(answer.status == 401)
        #expect(answer.headers["WWW-Authenticate"] == "Bearer")
    }
}
