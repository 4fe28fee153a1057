import CrashPoints
import Foundation
import TestSupport
import Testing

/// Kills store or app at each line around a payment; in the end what was bought was charged once.
@Suite(.ownThreads) struct PaymentCrashTests {
    private static let payer = "payer@example.com"

    private func open() throws -> Lab {
        let lab = try Lab.open()
        try lab.openProduction(Self.payer, credit: "10")
        return lab
    }

    private func environment(_ lab: Lab, _ more: [String: String] = [:]) -> [String: String] {
        lab.productionEnvironment.merging(["STOREKIT_ACCOUNT": "\(Self.payer):rocket-fuel-1"]) {
            $1
        }.merging(more) { $1 }
    }

    /// Lets the app do what is left over, and holds ledger, store and backend to one purchase.
    private func checkOnce(_ lab: Lab, after output: String) throws {
        let later = try lab.settle(environment: environment(lab))
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
        try Audit(lab: lab).check(seen: Audit.seen(in: output + later))
        let charges = try lab.charges()
        #expect(charges.count == 1 && charges.values.allSatisfy { $0 == [990] }, "\(charges)")
        #expect(try lab.credit(of: Self.payer) == 9_010)
        lab.store?.kill()
        lab.backend?.kill()
        try lab.tell(output + later)
        #expect(
            try Auditor.findings(in: lab.folder, settled: true, logs: lab.folder + "/logs") == [])
    }

    @Test(arguments: [
        CrashPoint.storePurchaseCharged, .storePurchaseCommitted, .storeFinishCommitted,
    ])
    func `a store killed around a payment has charged once`(point: CrashPoint) throws {
        let lab = try open()
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let buy = try lab.startApp(["buy", Lab.fuel], environment: environment(lab))
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        if point == .storePurchaseCharged {
            #expect(try lab.charges().isEmpty, "it is charged, and nothing was sold")
            #expect(try lab.count("SELECT count(*) FROM attempt", in: lab.storeFile) == 0)
        }
        try lab.startStore()
        try buy.wait()
        try checkOnce(lab, after: buy.output)
    }

    @Test(arguments: [
        CrashPoint.deviceAttemptApproved, .deviceAttemptAnswered, .deviceReceiptWritten,
        .deviceFinishWritten,
    ])
    func `an app killed around a payment is charged once`(point: CrashPoint) throws {
        let lab = try open()
        let buy = try lab.startApp(
            ["buy", Lab.fuel],
            environment: environment(lab, ["BODEGA_CRASH_POINT": point.rawValue]))
        #expect(try buy.wait() == 128 + SIGKILL, "the point was not reached: \(buy.output)")
        try checkOnce(lab, after: buy.output)
    }

    @Test func `a purchase beyond the credit fails in the app and the rest of the credit stays`()
        throws
    {
        let lab = try open()
        let many = try lab.startApp(
            ["buy", Lab.fuel, "--quantity", "10"], environment: environment(lab))
        try many.wait()
        #expect(try lab.credit(of: Self.payer) == 100)
        let more = try lab.startApp(["buy", Lab.fuel], environment: environment(lab))
        #expect(try more.wait() != 0)
        #expect(more.output.contains("cancelled \(Lab.fuel)"), "\(more.output)")
        #expect(more.errors.contains("lacks 0.89 USD"), "\(more.errors)")
        #expect(try lab.credit(of: Self.payer) == 100)
        #expect(try lab.charges().values.map { $0 } == [[9_900]])
    }
}
