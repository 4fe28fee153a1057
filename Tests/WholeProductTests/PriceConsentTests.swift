import Foundation
import TestSupport
import Testing

/// A price that somebody must agree to, with real programs: the owner asks, an app puts it off or
/// lets its person answer, the store keeps the answer.
@Suite(.ownThreads) struct PriceConsentTests {
    private let lab: Lab

    init() throws {
        lab = try Lab.open(withBackend: false)
    }

    private func watch(_ arguments: [String] = [], device: String = "phone") throws -> Program {
        try Program(
            "PurchaseProbe", ["--keep", "--watch"] + arguments,
            environment: lab.appEnvironment(device: device), logs: lab.folder + "/logs")
    }

    @discardableResult private func ask(_ price: String = "2.99") throws -> String {
        try lab.bodega([
            "price-consent", "ask", "buyer@example.com", Lab.club, price, "--bundle-id",
            Lab.bundleID,
        ])
    }

    private func state(of number: Int) throws -> String {
        let list = try lab.bodega(["price-consent", "list"])
        let row = list.split(separator: "\n").first { $0.hasPrefix("\(number) ") }
        return row?.split(separator: " ").last.map(String.init) ?? ""
    }

    @Test func `a postponed price question is answered by the next launch`()
        throws
    {
        _ = try lab.buyAndKeep([Lab.turbo])
        let waiting = try watch(["--later"])
        defer { if waiting.isRunning { waiting.kill() } }
        #expect(eventually { waiting.output.contains("purchased \(Lab.turbo)") })
        let said = try ask()
        #expect(said.contains("pays 2.99 USD in place of 1.99 USD for \(Lab.club): pending"))
        #expect(try ask() == said, "the same question is not asked twice")
        #expect(eventually { waiting.output.contains("price consent\n") }, "\(waiting.output)")
        #expect(try state(of: 1) == "pending")
        waiting.kill()
        try waiting.wait()
        lab.store?.kill()
        try lab.startStore()
        // The sheet of this device agrees to everything.
        let later = try watch()
        defer { later.kill() }
        #expect(eventually { (try? state(of: 1)) == "agreed" }, "\(later.output)\(later.errors)")
        #expect(later.output.contains("price consent\n"))
        let other = try lab.bodega(["price-consent", "decline", "1"], code: 1)
        #expect(other.contains("was agreed before; the first answer stands"))
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
    }

    @Test func `the owner's answer for an account counts on every device`() throws {
        _ = try lab.buyAndKeep([Lab.turbo])
        let phone = try watch(["--later"])
        defer { phone.kill() }
        #expect(eventually { phone.output.contains("purchased \(Lab.turbo)") })
        try ask()
        #expect(eventually { phone.output.contains("price consent\n") })
        let declined = try lab.bodega(["price-consent", "decline", "1"])
        #expect(declined.contains(": declined"))
        #expect(try lab.bodega(["price-consent", "show", "1"]) == declined)
        // Another device is asked about nothing at its launch, and about what comes then.
        let tablet = try watch([Lab.fuel], device: "tablet")
        defer { tablet.kill() }
        #expect(eventually { tablet.output.contains("purchased \(Lab.fuel)") })
        #expect(try state(of: 1) == "declined")
        #expect(!tablet.output.contains("price consent"))
        #expect(try ask("3.99").contains("question 2"))
        #expect(eventually { phone.output.components(separatedBy: "price consent\n").count == 3 })
        // The sheet of the tablet agrees.
        #expect(eventually { (try? state(of: 2)) == "agreed" })
    }
}
