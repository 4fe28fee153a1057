import CrashPoints
import Foundation
import TestSupport
import Testing

/// Kills an app of StoreKit 2 at each named line of a purchase, and starts it again.
@Suite(.ownThreads) struct SignedCrashTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        /// How many purchases there are once all has settled.
        let purchases: Int64
        /// Whether the next launch tells of it by the updates.
        let isTold: Bool

        var testDescription: String { point.rawValue }
    }

    static let rows: [Row] = [
        // Nobody approved yet: nothing was bought, nothing will be.
        Row(point: .deviceAttemptWritten, purchases: 0, isTold: false),
        Row(point: .deviceAttemptApproved, purchases: 1, isTold: true),
        Row(point: .deviceCopyWritten, purchases: 1, isTold: true),
        Row(point: .deviceAttemptAnswered, purchases: 1, isTold: true),
        Row(point: .deviceFinishCalled, purchases: 1, isTold: true),
        Row(point: .deviceFinishWritten, purchases: 1, isTold: false),
        Row(point: .deviceFinishAnswered, purchases: 1, isTold: false),
    ]

    @Test(arguments: rows)
    func `a caller killed between two lines is told at the next launch and charged once`(row: Row)
        throws
    {
        let lab = try KioskLab()
        let buy = try lab.kiosk(
            ["buy", "issue"], environment: ["BODEGA_CRASH_POINT": row.point.rawValue])
        #expect(try buy.wait() == 128 + SIGKILL, "the point was not reached: \(buy.output)")
        #expect(try lab.deliveredAtLaunch(row.isTold ? 1 : 0) == (row.isTold ? 1 : 0))
        #expect(try lab.issues() == row.purchases)
        // What was delivered is over.
        #expect(try lab.deliveredAtLaunch(0) == 0)
        #expect(try lab.issues() == row.purchases)
    }

    @Test(arguments: [CrashPoint.storePurchaseCommitted, .storeFinishCommitted])
    func `a store killed before its answer sells once to a caller who waits`(point: CrashPoint)
        throws
    {
        let lab = try KioskLab(isPatient: true)
        lab.lab.store?.terminate()
        try lab.lab.store?.wait()
        try lab.lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let buy = try lab.kiosk(["buy", "issue"])
        #expect(try lab.lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.lab.startStore()
        #expect(try buy.wait() == 0, "\(buy.output)")
        #expect(try lab.deliveredAtLaunch(0) == 0)
        #expect(try lab.issues() == 1)
    }
}

/// A lab with the kiosk's catalogue, and a device on which the kiosk runs.
private final class KioskLab {
    let lab: Lab
    /// Where the kiosk finds the store, if not at its own address.
    private let relay: Relay?

    /// - Parameter isPatient: Whether a request that comes while the store is down waits for it.
    ///   Otherwise it fails at once, and a purchase after a few tries.
    init(isPatient: Bool = false) throws {
        let lab = try Lab.open(withBackend: false)
        self.lab = lab
        relay = isPatient ? try Relay(to: lab.storePort) : nil
        if let relay {
            relay.start { request, device in
                _ = eventually { (try? RawConnection(port: relay.storePort)) != nil }
                device.write(try relay.answer(to: request.bytes))
                return true
            }
        }
        try lab.bodega([
            "catalog", "import", Lab.package + "/Examples/Kiosk/Kiosk.storekit", "--bundle-id",
            "com.example.kiosk",
        ])
    }

    deinit { relay?.close() }

    func kiosk(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Program {
        let variables = lab.appEnvironment().merging(environment) { $1 }
            .merging(["STOREKIT_BUNDLE_ID": "com.example.kiosk"]) { $1 }
            .merging(
                relay.map { ["STOREKIT_URL": "http://127.0.0.1:\($0.port)/sandbox"] } ?? [:]
            ) { $1 }
        return try Program(
            "Kiosk", arguments, environment: variables, logs: lab.folder + "/logs")
    }

    /// How many issues a launch delivers: at least as many as are waited for, and those that come
    /// before something else that is bought for the account meanwhile.
    func deliveredAtLaunch(_ count: Int) throws -> Int {
        let watch = try kiosk(["watch"])
        defer { watch.kill() }
        func issues() -> Int {
            watch.output.components(separatedBy: "delivered: issue").count - 1
        }
        try #require(eventually { watch.output.contains("watching") }, "\(watch.errors)")
        try #require(eventually { issues() >= count }, "\(watch.output)\(watch.errors)")
        try lab.bodega([
            "buy", "com.example.kiosk.summer", "--account", "buyer@example.com", "--bundle-id",
            "com.example.kiosk",
        ])
        try #require(
            eventually { watch.output.contains("delivered: summer") },
            "\(watch.output)\(watch.errors)")
        return issues()
    }

    /// How often an issue was sold.
    func issues() throws -> Int64 {
        try lab.count(
            "SELECT count(*) FROM store_transaction WHERE product_id LIKE '%issue'",
            in: lab.storeFile)
    }
}
