import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// The console's sessions at the backend.
@Suite(.ownThreads) struct OperatorConsoleTests {
    private func open(_ rig: Rig, isReadOnly: Bool) throws -> String {
        let made = try rig.send(
            "POST", "/console/v1/codes", token: Rig.operatorToken,
            #"{"isReadOnly":\#(isReadOnly)}"#)
        let code = try WireJSON.decode(ConsoleCodeBody.self, from: made.body).code
        let opened = try rig.send(
            "POST", "/console/v1/sessions", #"{"code":"\#(code)"}"#,
            headers: [("Content-Type", "application/json")])
        let session = try WireJSON.decode(OpenedConsoleBody.self, from: opened.body)
        #expect(session.server == .backend)
        return session.session
    }

    @Test func `a session opens the operator's addresses and no user's`() throws {
        let rig = try Rig()
        let session = try open(rig, isReadOnly: false)
        #expect(try rig.send("GET", "/operator/v1/prices", token: session).status == 200)
        #expect(try rig.send("GET", "/v1/purchases", token: session).status == 401)
        #expect(try rig.send("DELETE", "/console/v1/session", token: session).status == 204)
        #expect(try rig.send("GET", "/operator/v1/prices", token: session).status == 401)
    }

    @Test func `a read-only session has nothing checked or retried`() throws {
        let rig = try Rig()
        let session = try open(rig, isReadOnly: true)
        #expect(try rig.send("GET", "/operator/v1/prices", token: session).status == 200)
        for path in ["submissions/s-1/retry", "submissions/s-1/recheck", "subscriptions/1/check"] {
            let answer = try rig.send("POST", "/operator/v1/\(path)", token: session)
            #expect(answer.status == 403, "\(path)")
        }
        #expect(try rig.send("PUT", "/operator/v1/prices", token: session, "{}").status == 403)
    }

    @Test func `the console answers no foreign host and no foreign page`() throws {
        let rig = try Rig()
        #expect(try rig.send("GET", "/console/", headers: [("Host", "evil.test")]).status == 421)
        let page = [("Host", "localhost"), ("Origin", "http://evil.test")]
        #expect(try rig.send("GET", "/console/", headers: page).status == 403)
        #expect(try rig.send("GET", "/console/").status == 200)
    }
}
