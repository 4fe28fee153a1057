import CrashPoints
import Foundation
import TestSupport
import Testing

/// Ask to Buy and interrupted purchases with real programs: a store, and apps on two devices.
@Suite(.ownThreads) struct AskToBuyTests {
    /// An app that keeps what it hears of and ends after so many purchases.
    private func start(
        _ lab: Lab, _ arguments: [String], device: String = "phone"
    ) throws -> Program {
        try Program(
            "PurchaseProbe", arguments, environment: lab.appEnvironment(device: device),
            logs: lab.folder + "/logs")
    }

    private func waits(_ program: Program, for text: String) throws {
        try #require(
            eventually { program.output.contains(text) || !program.isRunning }
                && program.output.contains(text), "\(program.output)\(program.errors)")
    }

    private func sold(_ lab: Lab) throws -> Int64 {
        try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
    }

    @Test func `an approval reaches the asking device and the other one`() throws {
        let lab = try Lab.open()
        try lab.bodega(["account", "approval", "buyer@example.com", "on"])
        let phone = try start(lab, ["--keep", "--until=1", Lab.fuel])
        let tablet = try start(lab, ["--keep", "--until=1", Lab.turbo], device: "tablet")
        try waits(phone, for: "deferred \(Lab.fuel)")
        try waits(tablet, for: "deferred \(Lab.turbo)")
        #expect(try sold(lab) == 0)
        let list = try lab.bodega(["ask-to-buy", "list"])
        #expect(list.contains(Lab.fuel) && list.contains("0.99 USD"))
        let row = try #require(list.split(separator: "\n").first { $0.contains(Lab.fuel) })
        let number = try #require(row.split(separator: " ").first.map(String.init))
        let answer = try lab.bodega(["ask-to-buy", "approve", number])
        #expect(answer.contains("approved 1 × \(Lab.fuel)"))
        #expect(try lab.bodega(["ask-to-buy", "approve", number]) == answer)
        #expect(
            try lab.bodega(["ask-to-buy", "decline", number], code: 1)
                .contains("was already approved"))
        try phone.wait()
        try tablet.wait()
        let news = try #require(
            phone.output.firstMatch(of: /purchased ([^ ]+ [0-9]+)/).map { String($0.1) })
        #expect(tablet.output.contains("purchased \(news)"))
        #expect(try sold(lab) == 1)
    }

    @Test func `a declined payment fails in the running app`() throws {
        let lab = try Lab.open()
        try lab.bodega(["account", "approval", "buyer@example.com", "on"])
        let phone = try start(lab, [Lab.fuel])
        try waits(phone, for: "deferred \(Lab.fuel)")
        #expect(try lab.bodega(["ask-to-buy", "decline", "1"]).contains("declined 1 ×"))
        try waits(phone, for: "failed \(Lab.fuel) The request to buy was declined.")
        try waits(phone, for: "removed \(Lab.fuel)")
        try phone.wait()
        #expect(try sold(lab) == 0)
    }

    @Test func `an app that was closed learns the outcome at its next launch`() throws {
        let lab = try Lab.open()
        try lab.bodega(["account", "approval", "buyer@example.com", "on"])
        let phone = try start(lab, ["--keep", Lab.fuel])
        try waits(phone, for: "deferred \(Lab.fuel)")
        phone.kill()
        try phone.wait()
        try lab.bodega(["ask-to-buy", "approve", "1"])
        let later = try start(lab, ["--keep", "--until=1"])
        try later.wait()
        #expect(later.output.contains("purchased \(Lab.fuel)"))
        #expect(!later.output.contains("deferred"))
        #expect(try sold(lab) == 1)
    }

    @Test func `a store killed after accepting an approval has bought once`() throws {
        let lab = try Lab.open()
        try lab.bodega(["account", "approval", "buyer@example.com", "on"])
        let phone = try start(lab, ["--keep", "--until=1", Lab.fuel])
        try waits(phone, for: "deferred \(Lab.fuel)")
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(
            environment: ["BODEGA_CRASH_POINT": CrashPoint.storeApprovalCommitted.rawValue])
        try lab.bodega(["ask-to-buy", "approve", "1"], code: 1)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        #expect(try lab.bodega(["ask-to-buy", "approve", "1"]).contains("approved 1 ×"))
        try phone.wait()
        #expect(phone.output.contains("purchased \(Lab.fuel)"))
        #expect(try sold(lab) == 1)
    }

    @Test func `an interrupted purchase fails, is resolved and arrives`() throws {
        let lab = try Lab.open()
        try lab.bodega(["account", "interrupt", "buyer@example.com", "on"])
        let phone = try start(lab, ["--until=1", Lab.fuel])
        try waits(phone, for: "failed \(Lab.fuel) The purchase was interrupted")
        #expect(try sold(lab) == 0)
        #expect(
            try lab.bodega(["account", "resolve", "buyer@example.com"]).contains("bought, "))
        #expect(
            try lab.bodega(["account", "resolve", "buyer@example.com"])
                .contains("buyer@example.com has no interrupted purchases"))
        try phone.wait()
        #expect(phone.output.contains("purchased \(Lab.fuel)"))
        #expect(try sold(lab) == 1)
    }

    @Test
    func `approval and interruption settings of a production account affect no other account`()
        throws
    {
        let lab = try Lab.open()
        let name = "buyer@example.com"
        try lab.bodega([
            "account", "add", name, "--environment", "production", "--password", "rocket-fuel-1",
        ])
        let place = ["--environment", "production"]
        try lab.bodega(["account", "approval", name, "on"] + place)
        try lab.bodega(["account", "interrupt", name, "on"] + place)
        let list = try lab.bodega(["account", "list"])
        let lines = list.split(separator: "\n").filter { $0.contains(name) }
        #expect(lines.count == 2)
        for line in lines {
            let isAsked = line.contains("approval, interrupted")
            #expect(isAsked == line.contains("production"), "\(line)")
        }
        let owned = "owner@example.com"
        try lab.bodega(
            ["account", "add", owned, "--password", "rocket-fuel-1"] + place)
        #expect(
            try lab.bodega(["account", "resolve", owned] + place).contains(
                "no interrupted purchases"))
        #expect(
            try lab.bodega(
                ["account", "key-values", owned, "--bundle-id", Lab.bundleID] + place
            ).contains("0 keys"))
    }
}
