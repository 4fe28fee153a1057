import Foundation
import TestSupport
import Testing

/// What a device knows of how far it came, when the store or the device is set back.
@Suite(.ownThreads) struct DeviceCursorTests {
    private let lab: Lab

    init() throws {
        lab = try Lab.open()
    }

    private func watch(_ device: String) throws -> Program {
        try Program(
            "PurchaseProbe", ["--keep", "--watch"], environment: lab.appEnvironment(device: device),
            logs: lab.folder + "/logs")
    }

    private func heard(_ product: String, in app: Program) -> Int {
        app.output.components(separatedBy: "\npurchased \(product) ").count - 1
    }

    private func sold() throws -> Int64 {
        try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
    }

    @Test func `a running app continues after the store restarts`() throws {
        _ = try lab.buyAndKeep([Lab.turbo])
        let app = try watch("phone")
        defer { app.kill() }
        #expect(eventually { heard(Lab.turbo, in: app) == 1 })
        lab.store?.kill()
        try lab.startStore()
        _ = try lab.buyAndKeep([Lab.fuel], before: 1, device: "tablet")
        #expect(eventually { heard(Lab.fuel, in: app) == 1 }, "\(app.output)\(app.errors)")
        #expect(heard(Lab.turbo, in: app) == 1, "what was told is not told again")
    }

    @Test func `an older copy of a device buys nothing twice and revives nothing finished`()
        throws
    {
        let crashed = try lab.app(
            ["buy", Lab.fuel], environment: ["BODEGA_CRASH_POINT": "device-attempt-approved"],
            code: 128 + SIGKILL)
        #expect(!crashed.contains("purchased"))
        let home = lab.folder + "/phone"
        let copy = lab.folder + "/copy"
        try FileManager.default.copyItem(atPath: home, toPath: copy)
        #expect(try lab.settle().contains("finished \(Lab.fuel)"))
        #expect(try sold() == 1)
        try FileManager.default.removeItem(atPath: home)
        try FileManager.default.moveItem(atPath: copy, toPath: home)
        let later = try lab.settle()
        #expect(!later.contains("purchased"), "\(later)")
        #expect(try sold() == 1)
        let journal = try FileManager.default.contentsOfDirectory(atPath: home + "/journal")
        #expect(journal == [])
    }

    @Test func `a running app continues in an older restored world`() throws {
        _ = try lab.buyAndKeep([Lab.turbo])
        try lab.bodega(["world", "snapshot", "default", "s"])
        let app = try watch("phone")
        defer { app.kill() }
        _ = try lab.buyAndKeep([Lab.fuel, Lab.fuel], before: 1, device: "tablet")
        #expect(eventually { heard(Lab.fuel, in: app) == 2 }, "\(app.output)\(app.errors)")
        try lab.bodega(["world", "restore", "default", "s", "--yes"])
        // No token lives on in another world: the first payment signs in, and the app notices.
        _ = try lab.buyAndKeep([Lab.fuel], before: 1)
        #expect(eventually { heard(Lab.fuel, in: app) == 3 }, "\(app.output)\(app.errors)")
        #expect(heard(Lab.turbo, in: app) == 2, "once in each world")
        #expect(try sold() == 2)
    }

    @Test func `a revocation reaches a running app and one launched later`()
        throws
    {
        let bought = try #require(try lab.buyAndKeep([Lab.turbo]).first)
        let app = try watch("phone")
        defer { app.kill() }
        #expect(eventually { heard(Lab.turbo, in: app) == 1 })
        let said = try lab.bodega([
            "transaction", "revoke", bought.transaction, "--reason", "issue",
        ])
        #expect(said.contains(bought.transaction))
        #expect(eventually { app.output.contains("revoked \(Lab.turbo)\n") }, "\(app.output)")
        let answer = try lab.bodega([
            "receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox",
        ])
        #expect(answer.contains(#""cancellation_reason":"1""#), "\(answer)")
        try lab.bodega(["account", "storefront", "buyer@example.com", "DEU"])
        #expect(eventually { app.output.contains("storefront DEU\n") }, "\(app.output)")
        #expect(
            try lab.bodega(["device", "status", "--home", lab.folder + "/phone"]).contains("DEU"))
    }

    @Test func `a purchase revoked before it was finished is not delivered to another device`()
        throws
    {
        let bought = try #require(try lab.buyAndKeep([Lab.turbo]).first)
        try lab.bodega(["transaction", "revoke", bought.transaction, "--reason", "other"])
        // Its first purchase signs it in, and the store's list comes with that.
        let heard = try lab.buyAndKeep([Lab.fuel], device: "tablet")
        #expect(heard.map(\.product) == [Lab.fuel])
        let tablet = try watch("tablet")
        defer { tablet.kill() }
        #expect(eventually { self.heard(Lab.fuel, in: tablet) == 1 }, "\(tablet.output)")
        #expect(self.heard(Lab.turbo, in: tablet) == 0, "\(tablet.output)")
        // Nor does the phone hear of it again.
        let phone = try watch("phone")
        defer { phone.kill() }
        #expect(eventually { self.heard(Lab.fuel, in: phone) == 1 }, "\(phone.output)")
        #expect(self.heard(Lab.turbo, in: phone) == 0, "\(phone.output)")
    }
}
