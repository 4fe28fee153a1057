import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Money that a customer asks back, by the command line, as app, store and backend see it.
@Suite(.ownThreads) struct RefundStoryTests {
    private let lab: Lab

    init() throws {
        lab = try Lab.open()
    }

    @discardableResult
    private func refund(_ arguments: String..., code: Int32 = 0) throws -> String {
        try lab.bodega(["refund"] + arguments, code: code)
    }

    /// What verifyReceipt says of the receipt on the phone.
    private func verified() throws -> String {
        try lab.bodega([
            "receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox",
        ])
    }

    private func phone() throws -> Program {
        try Program(
            "PurchaseProbe", ["--keep", "--watch"], environment: lab.appEnvironment(),
            logs: lab.folder + "/logs")
    }

    @Test func `a refund and its reversal reach a running app and the backend`() throws {
        let bought = try #require(try lab.buyAndKeep([Lab.turbo]).first)
        let user = try lab.backendUser("driver")
        #expect(try lab.submit(bought.appReceipt, of: bought, as: user).status == .granted)
        let id = bought.transaction
        let asked = try refund("request", id, "--reason", "fulfillment-issue")
        #expect(asked.contains("refund requested (fulfillment-issue)"), "\(asked)")
        try refund(
            "consumption", id, "--consented", "--delivery", "delivered", "--percentage", "33.333")
        let app = try phone()
        defer { app.kill() }
        #expect(eventually { app.output.contains("purchased \(Lab.turbo) ") }, "\(app.output)")
        let granted = try refund("grant", id, "--prorated")
        #expect(
            granted.contains("granted, no money moved, because none was charged;"), "\(granted)")
        #expect(eventually { app.output.contains("revoked \(Lab.turbo)\n") }, "\(app.output)")
        #expect(try verified().contains(#""cancellation_reason":"1""#))
        // The backend hears of it with the next receipt, and keeps that.
        #expect(try state(of: bought, user) == "cancelled")
        #expect(try grants() == "refunded")
        // The dates of receipts are in seconds.
        try lab.bodega(["clock", "advance", "1h"])
        let reversed = try refund("reverse", id)
        #expect(
            reversed.contains("no money moved, because none was charged, the purchase restored"),
            "\(reversed)")
        #expect(
            eventually { (try? verified().contains("cancellation")) == false }, "\(app.output)")
        #expect(try state(of: bought, user) == "alreadyGranted")
        #expect(try grants() == "stands")
        #expect(try refund("show", id, "--json").contains(#""state":"reversed""#))
        #expect(try refund("list").contains(id))
        try refund("decline", id, code: 1)
    }

    private func state(of bought: BoughtItem, _ user: String) throws -> String {
        let receipt = try #require(FileManager.default.contents(atPath: lab.receiptPath()))
        let outcome = try lab.submit(receipt.base64EncodedString(), of: bought, as: user)
        return outcome.reason ?? outcome.status.rawValue
    }

    private func grants() throws -> String {
        let marked = try lab.count(
            "SELECT count(*) FROM grants WHERE refunded_at IS NOT NULL",
            in: lab.backendData + "/backend.sqlite")
        return marked == 0 ? "stands" : "refunded"
    }

    @Test(arguments: 1...3)
    func `a store killed at a step of a refund has made it once`(step: Int) throws {
        let id = try #require(try lab.buyAndKeep([Lab.turbo]).first).transaction
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(
            environment: [
                "BODEGA_CRASH_POINT": "\(CrashPoint.storeRefundCommitted.rawValue):\(step)"
            ])
        let steps = [["request", id, "--reason", "other"], ["grant", id], ["reverse", id]]
        for done in steps.prefix(step - 1) { try lab.bodega(["refund"] + done) }
        try lab.bodega(["refund"] + steps[step - 1], code: 1)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        for rest in steps.dropFirst(step - 1) { try lab.bodega(["refund"] + rest) }
        for kind in ["refundRequested", "revoked", "refundReversed"] {
            #expect(
                try lab.count(
                    "SELECT count(*) FROM event WHERE kind = '\(kind)'", in: lab.storeFile) == 1)
        }
        #expect(try lab.count("SELECT count(*) FROM revocation", in: lab.storeFile) == 0)
    }
}
