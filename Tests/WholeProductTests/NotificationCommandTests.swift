import Foundation
import StoreWire
import TestSupport
import Testing

/// `bodega notification`, with `listen` as the app's server.
@Suite(.ownThreads) struct NotificationCommandTests {
    private struct Shop {
        let lab: Lab
        let listener: Program
        let url: String

        /// A store whose app is notified at a listener.
        init(_ options: [String] = []) throws {
            lab = try Lab.open(withBackend: false)
            listener = try Program(
                "bodega", ["notification", "listen"] + options,
                environment: ["BODEGA_DATA": lab.storeData], logs: lab.folder + "/logs")
            var found: Substring?
            let program = listener
            try #require(
                eventually {
                    found = program.errors.firstMatch(of: /bodega listens on (http:\S+)/)?.1
                    return found != nil
                })
            url = String(try #require(found))
            try lab.bodega(["notification", "set", Lab.bundleID, url, "--private"])
        }

        /// The lines that the listener has printed, once there are so many.
        func lines(_ count: Int) -> [String] {
            var lines: [String] = []
            _ = eventually {
                lines = listener.output.split(separator: "\n").map(String.init)
                return lines.count >= count
            }
            return lines
        }
    }

    @Test func `listen prints what it verifies, and why it refuses the rest`() throws {
        let shop = try Shop()
        defer { shop.listener.kill() }
        try shop.lab.bodega(["notification", "test", Lab.bundleID])
        #expect(shop.lines(1).first?.contains(/^TEST Sandbox [0-9a-f-]{36}$/) == true)
        _ = try shop.lab.buyAndKeep(["\(Lab.bundleID).fuel"])
        #expect(shop.lines(2).last?.hasPrefix("ONE_TIME_CHARGE Sandbox ") == true)
        try shop.lab.bodega([
            "notification", "send", Lab.bundleID, "external_purchase_token/created",
        ])
        #expect(shop.lines(3).last?.hasPrefix("EXTERNAL_PURCHASE_TOKEN/CREATED") == true)
        let forged = #"{"signedPayload":"eyJhbGciOiJub25lIn0.e30.AAAA"}"#
        _ = try Lab.call("POST", shop.url, body: Array(forged.utf8))
        #expect(shop.lines(4).last?.hasPrefix("refused: ") == true)
        let listed = try shop.lab.bodega(["notification", "list"])
        #expect(
            listed.contains(/EXTERNAL_PURCHASE_TOKEN\/CREATED\s.*success/)
                && listed.contains(/TEST\s.*success/))
        shop.listener.terminate()
        #expect(try shop.listener.wait() == 0)
    }

    @Test func `listen prints payloads for programs, and refuses as it is told`() throws {
        let shop = try Shop(["--json", "--status", "503"])
        defer { shop.listener.kill() }
        try shop.lab.bodega(["notification", "test", Lab.bundleID])
        let line = try #require(shop.lines(1).first)
        let payload = try JSONValue(parsing: Array(line.utf8))["payload"]
        #expect(payload?["notificationType"]?.string == "TEST")
        #expect(payload?["data"]?["bundleId"]?.string == Lab.bundleID)
        try shop.lab.bodega(["notification", "settle"])
        #expect(
            try shop.lab.bodega(["notification", "show", "1"])
                .contains("unsuccessful http response code"))
    }

    @Test func `an advance may wait for the notifications that it brings`() throws {
        let shop = try Shop()
        defer { shop.listener.kill() }
        try shop.lab.bodega(["clock", "hold"])
        try shop.lab.bodega(["clock", "pace", "calendar"])
        try shop.lab.bodega(["buy", Lab.club, "--account", "buyer@example.com"])
        try shop.lab.bodega(["clock", "advance", "100d", "--notified"])
        let listed = try shop.lab.bodega(["notification", "list", "--json"])
        let all = try JSONValue(parsing: Array(listed.utf8))["notifications"]?.array ?? []
        #expect(all.filter { $0["notificationType"]?.string == "DID_RENEW" }.count == 3)
        #expect(
            all.allSatisfy {
                $0["sendAttempts"]?.array?.map { $0["sendAttemptResult"]?.string } == ["SUCCESS"]
            })
    }

    @Test func `what cannot be sent is refused with what can be`() throws {
        let shop = try Shop()
        defer { shop.listener.kill() }
        let send = ["notification", "send", Lab.bundleID]
        #expect(
            try shop.lab.bodega(send + ["REFUND"], code: 2).contains(
                "the others follow from what happens"))
        #expect(
            try shop.lab.bodega(send + ["EXTERNAL_PURCHASE_TOKEN/LOST"], code: 2)
                .contains("ACTIVE_TOKEN_REMINDER, CREATED, UNREPORTED"))
        #expect(
            try shop.lab.bodega(send + ["MIGRATION"], code: 2)
                .contains("transactionId is needed for MIGRATION"))
        #expect(try shop.lab.bodega(["notification", "list"]).contains("TEST") == false)
    }
}
