import CrashPoints
import Foundation
import TestSupport
import Testing

/// Kills store, app or backend at each named line of a purchase, starts it again, and judges what
/// is left by the files.
@Suite(.ownThreads) struct CrashPointTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        /// How many purchases there are once all has settled.
        let purchases: Int64

        var testDescription: String { point.rawValue }
    }

    static let device: [Row] = [
        // Nobody approved yet: nothing was bought, nothing will be.
        Row(point: .deviceAttemptWritten, purchases: 0),
        Row(point: .deviceAttemptApproved, purchases: 1),
        Row(point: .deviceAttemptAnswered, purchases: 1),
        Row(point: .deviceReceiptWritten, purchases: 1),
        Row(point: .deviceFinishCalled, purchases: 1),
        Row(point: .deviceFinishWritten, purchases: 1),
        Row(point: .deviceFinishAnswered, purchases: 1),
    ]

    @Test(arguments: device)
    func `an app killed between two lines buys once and delivers once`(row: Row) throws {
        let lab = try Lab.open()
        let buy = try lab.startApp(
            ["buy", Lab.fuel], environment: ["BODEGA_CRASH_POINT": row.point.rawValue])
        #expect(try buy.wait() == 128 + SIGKILL, "the point was not reached: \(buy.output)")
        let later = try lab.settle()
        #expect(
            try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
                == row.purchases)
        try Audit(lab: lab).check(seen: Audit.seen(in: buy.output + later))
    }

    @Test(arguments: [CrashPoint.storePurchaseCommitted, .storeFinishCommitted])
    func `a store killed after a commit and before its answer has sold once`(point: CrashPoint)
        throws
    {
        let lab = try Lab.open()
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let buy = try lab.startApp(["buy", Lab.fuel])
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        try buy.wait()
        let later = try lab.settle()
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
        try Audit(lab: lab).check(seen: Audit.seen(in: buy.output + later))
    }

    @Test(arguments: [CrashPoint.backendSubmissionStored, .backendGrantCommitted])
    func `a backend killed around its grant grants once`(point: CrashPoint) throws {
        let lab = try Lab.open()
        lab.backend?.terminate()
        try lab.backend?.wait()
        try lab.startBackend(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let buy = try lab.startApp(["buy", Lab.fuel, "--time-limit", "30"])
        #expect(try lab.backend?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startBackend()
        try buy.wait()
        let later = try lab.settle()
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
        try Audit(lab: lab).check(seen: Audit.seen(in: buy.output + later))
    }
}
