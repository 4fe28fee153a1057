import StoreHTTP
import StoreWire
import Testing

@testable import AppStoreServer

/// Whom the store's console and `/control` let in.
struct ConsoleAdmissionTests {
    private func open(
        _ store: TestStore, isReadOnly: Bool = false
    ) async throws -> String {
        let made = await store.send(
            "POST", "/console/v1/codes", token: TestStore.controlToken,
            body: try WireJSON.encode(MakeConsoleCodeBody(isReadOnly: isReadOnly)))
        let code = try WireJSON.decode(ConsoleCodeBody.self, from: made.body).code
        let opened = await store.send(
            "POST", "/console/v1/sessions", body: try WireJSON.encode(OpenConsoleBody(code: code)))
        return try WireJSON.decode(OpenedConsoleBody.self, from: opened.body).session
    }

    private func code(_ answer: HTTPResponse) -> String? {
        try? WireJSON.decode(ErrorBody.self, from: answer.body).error.code
    }

    @Test func `a session opens the control of every world`() async throws {
        let store = try TestStore()
        let session = try await open(store)
        let made = await store.send(
            "POST", "/control/v1/worlds", token: session, body: Array(#"{"name":"one"}"#.utf8))
        #expect(made.status == 201)
        for path in ["/control/v1/clock", "/t/one/control/v1/clock", "/control/v1/worlds"] {
            #expect(await store.send("GET", path, token: session).status == 200, "\(path)")
        }
    }

    @Test func `a session opens neither metrics nor devices' addresses, and makes no code`()
        async throws
    {
        let store = try TestStore()
        let session = try await open(store)
        #expect(code(await store.send("GET", "/metrics", token: session)) == "metricsTokenWrong")
        #expect(
            code(await store.send("GET", "/sandbox/device/v1/receipt", token: session))
                == "tokenUnknown")
        #expect(
            code(await store.send("POST", "/console/v1/codes", token: session))
                == "controlTokenWrong")
    }

    @Test func `a read-only session changes nothing, and explains receipts`() async throws {
        let store = try TestStore()
        let session = try await open(store, isReadOnly: true)
        #expect(await store.send("GET", "/control/v1/clock", token: session).status == 200)
        for (method, path) in [
            ("PUT", "/control/v1/clock"), ("POST", "/control/v1/worlds"),
            ("DELETE", "/control/v1/clock/advance"), ("PUT", "/t/one/control/v1/clock"),
            ("POST", "/control/v1/receipts/explain/more"),
            ("DELETE", "/control/v1/apps/\(TestStore.bundleID)/resources/receipts/explain"),
            ("PUT", "/control/v1/receipts/explain"),
        ] {
            let answer = await store.send(method, path, token: session, body: Array("{}".utf8))
            // The world comes first, as for the control token.
            let isElsewhere = path.hasPrefix("/t/")
            #expect(code(answer) == (isElsewhere ? "worldUnknown" : "sessionReadsOnly"), "\(path)")
        }
        let explained = await store.send(
            "POST", "/control/v1/receipts/explain", token: session, body: Array("{}".utf8))
        #expect(code(explained) != "sessionReadsOnly")
    }

    @Test func `a session that was signed out opens nothing`() async throws {
        let store = try TestStore()
        let session = try await open(store)
        #expect(await store.send("GET", "/console/v1/session", token: session).status == 200)
        #expect(await store.send("DELETE", "/console/v1/session", token: session).status == 204)
        #expect(
            code(await store.send("GET", "/console/v1/session", token: session)) == "sessionEnded")
        #expect(
            code(await store.send("GET", "/control/v1/clock", token: session))
                == "controlTokenWrong")
    }

    @Test(arguments: ["/console/", "/console/index.html", "/console/v1/session"])
    func `the console answers no foreign host and no foreign page`(path: String) async throws {
        let store = try TestStore()
        for (headers, code) in [
            ([("Host", "evil.test")], "hostUnknown"),
            ([("Host", "127.0.0.1.evil.test")], "hostUnknown"),
            ([("Host", "localhost"), ("Origin", "http://evil.test")], "originForeign"),
            ([("Host", "localhost"), ("Origin", "null")], "originForeign"),
            (
                [
                    ("Host", "localhost"), ("Origin", "http://localhost"),
                    ("Origin", "http://evil.test"),
                ], "originForeign"
            ),
        ] {
            #expect(self.code(await store.send("GET", path, headers: headers)) == code)
        }
    }

    @Test func `the console's page is below a slash`() async throws {
        let store = try TestStore()
        let moved = await store.send("GET", "/console")
        #expect(moved.status == 308)
        #expect(moved.headers["Location"] == "/console/")
        let page = await store.send("GET", "/console/")
        #expect(page.status == 200)
        #expect(page.headers["Console-Server"] == "store")
        #expect(code(await store.send("GET", "/console/none.js")) == "notFound")
        #expect(code(await store.send("GET", "/t/one/console/")) != nil)
    }

    @Test func `a session begins with a body that is declared as JSON alone`() async throws {
        let store = try TestStore()
        let answer = await store.send(
            "POST", "/console/v1/sessions", headers: [("Content-Type", "text/plain")],
            body: try WireJSON.encode(OpenConsoleBody(token: TestStore.controlToken)))
        #expect(code(answer) == "notJSON")
    }
}
