import Foundation
import StoreCaller
import StoreWire
import TestSupport
import Testing

/// `bodega console` against a store, and `bodega backend console` against a backend, that run.
@Suite(.ownThreads) struct ConsoleCommandTests {
    /// Begins a session with the code of an address.
    private func open(_ address: String) throws -> CallerResponse {
        let parts = address.split(separator: "#code=").map(String.init)
        try #require(parts.count == 2, "\(address)")
        let page = try Caller().send(CallerRequest(method: "GET", url: parts[0]))
        #expect(page.status == 200)
        let base = try #require(parts[0].split(separator: "/console/").first)
        return try Caller().send(
            CallerRequest(
                method: "POST", url: "\(base)/console/v1/sessions",
                headers: [("Content-Type", "application/json")],
                body: try WireJSON.encode(OpenConsoleBody(code: parts[1]))))
    }

    @Test(arguments: [["console"], ["backend", "console"]])
    func `the printed address opens the console once`(command: [String]) throws {
        let lab = try Lab.open(withBackend: true)
        let data = command.first == "backend" ? ["--data", lab.backendData] : []
        let address = try lab.bodega(command + data)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let opened = try open(address)
        #expect(opened.status == 200)
        let session = try WireJSON.decode(OpenedConsoleBody.self, from: opened.body)
        #expect(session.server.rawValue == (command.first == "backend" ? "backend" : "store"))
        #expect(!session.isReadOnly)
        #expect(try open(address).status == 401)
    }

    @Test func `a read-only address opens a session that only reads`() throws {
        let lab = try Lab.open(withBackend: false)
        let json = try lab.bodega(["console", "--read-only", "--json"])
        let url = try #require(try JSONValue(parsing: Array(json.utf8))["url"]?.string)
        let opened = try WireJSON.decode(OpenedConsoleBody.self, from: try open(url).body)
        #expect(opened.isReadOnly)
    }
}
