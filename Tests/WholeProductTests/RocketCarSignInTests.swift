import Foundation
import TestSupport
import Testing

/// How the example app signs its player in at the backend.
@Suite(.ownThreads) struct RocketCarSignInTests {
    private func sessionCount(in lab: Lab) throws -> Int64 {
        try lab.count("SELECT count(*) FROM sessions", in: lab.backendData + "/backend.sqlite")
    }

    @Test func `a device stays signed in, and strangers who guess do not lock it out`() throws {
        struct Kept: Decodable {
            struct Player: Decodable {
                let token: String
            }
            let player: Player
        }
        let lab = try Lab.open()
        for _ in 1...2 { _ = try lab.app(["subscriptions"]) }
        #expect(try sessionCount(in: lab) == 1, "the second launch does not sign in")
        let file = URL(fileURLWithPath: "\(lab.folder)/phone-app/session.json")
        let kept = try JSONDecoder().decode(Kept.self, from: Data(contentsOf: file))
        let sessions = lab.backendURL + "/v1/sessions"
        #expect(try Lab.call("DELETE", sessions, token: kept.player.token).status == 204)
        let guess = Array(#"{"name":"driver","password":"wrong-wheel-1"}"#.utf8)
        for _ in 1...5 { _ = try Lab.call("POST", sessions, body: guess) }
        let stranger = try lab.app(["subscriptions"], device: "tablet", code: 1)
        #expect(stranger.contains("signing in gave 423"), "\(stranger)")
        _ = try lab.app(["subscriptions"])
        #expect(try sessionCount(in: lab) == 2)
    }

    @Test func `a refused sign-up says why`() throws {
        let lab = try Lab.open()
        let said = try lab.app(["subscriptions"], user: "driver:short", code: 1)
        #expect(said.contains("signing up gave 422: "), "\(said)")
        #expect(said.contains("8 to 128"), "\(said)")
    }
}
