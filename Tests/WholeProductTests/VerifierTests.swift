import Foundation
import StoreWire
import TestSupport
import Testing

/// Programs that others wrote accept what this store signs and answers, with their checks on.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct VerifierTests {
    private func python(_ script: String, _ arguments: [String], lab: Lab) throws -> (Int32, String)
    {
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let program = try Program(
            python, ["\(Lab.package)/Tests/Verifiers/\(script)"] + arguments,
            logs: lab.folder + "/logs")
        let code = try program.wait()
        return (code, program.output + program.errors)
    }

    @Test func `a receipt received by an app passes outside verifiers`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let device = try #require(
            FileManager.default.contents(atPath: lab.folder + "/phone/device.json"))
        let guid = try JSONDecoder().decode(Device.self, from: device).guid
        let (code, text) = try python(
            "verify_receipt.py",
            [
                lab.storeData + "/keys/root-sandbox.pem", lab.receiptPath(), "--guid", guid,
                "--bundle-id", Lab.bundleID,
            ], lab: lab)
        #expect(code == 0, "\(text)")
        let (wrong, _) = try python(
            "verify_receipt.py",
            [lab.storeData + "/keys/root-production.pem", lab.receiptPath()], lab: lab)
        #expect(wrong != 0, "another root must not do")
    }

    @Test func `itunes-iap reads verifyReceipt's answer`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let (code, text) = try python(
            "verify_endpoint.py", [lab.storeURL, lab.receiptPath()], lab: lab)
        #expect(code == 0, "\(text)")
        #expect(text.contains(Lab.turbo))
    }

    @Test func `itunes-iap reads every golden answer about subscriptions`() throws {
        let lab = try Lab()
        let (code, text) = try python(
            "read_subscriptions.py",
            ["golden", Lab.package + "/Tests/AppStoreServerTests/Golden"], lab: lab)
        #expect(code == 0, "\(text)")
        let count = text.firstMatch(of: /([0-9]+) golden files/).flatMap { Int($0.1) }
        #expect(try #require(count) > 30, "\(text)")
    }

    @Test func `the golden answer checker finds each kind of damage`() throws {
        let lab = try Lab()
        let (code, text) = try python(
            "damaged_subscriptions.py", [Lab.package + "/Tests/AppStoreServerTests/Golden"],
            lab: lab)
        #expect(code == 0, "\(text)")
        let count = text.firstMatch(of: /of ([0-9]+) damages found/).flatMap { Int($0.1) }
        #expect(try #require(count) > 50, "\(text)")
    }

    @Test func `itunes-iap reads the store's answers about a subscription to its end`() throws {
        let lab = try Lab.open()
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let item = try #require(try lab.buyAndKeep([Lab.club]).first)
        let own = try lab.write(item.transactionReceipt, "own")
        func read(_ receipt: String, _ said: String) throws {
            let (code, text) = try python(
                "read_subscriptions.py", ["live", lab.storeURL, receipt, lab.secretFile], lab: lab)
            #expect(code == 0, "\(text)")
            #expect(text.contains(said), "\(text)")
        }
        try read(lab.receiptPath(), "1 periods, 1 subscriptions")
        try read(own, "status 0")
        try lab.bodega(["clock", "advance", "2026-06-02"])
        try read(lab.receiptPath(), "3 periods, 1 subscriptions")
        try read(own, "status 0")
        try lab.bodega(["subscription", "expire", item.transaction])
        try read(lab.receiptPath(), "3 periods, 1 subscriptions")
        try read(own, "status 21006")
    }

    private struct Device: Decodable {
        let guid: String
    }
}
