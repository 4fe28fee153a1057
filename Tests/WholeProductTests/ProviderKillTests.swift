import CrashPoints
import Foundation
import TestSupport
import Testing

/// Kills the store at each line between it and its payment provider, and the provider itself; in
/// the end each purchase was paid for once, and the books agree.
@Suite(.ownThreads) struct ProviderKillTests {
    private static let payer = "payer@example.com"
    private static let price: Int64 = 990

    private let lab: Lab
    private let provider: ProviderProgram

    init() throws {
        (lab, provider) = try Lab.openWithProvider()
        try lab.openCardAccount(Self.payer)
    }

    private var environment: [String: String] {
        lab.productionEnvironment.merging(["STOREKIT_ACCOUNT": "\(Self.payer):rocket-fuel-1"]) {
            $1
        }
    }

    /// Has the store run with a crash point, or without.
    private func restartStore(crashingAt point: String? = nil) throws {
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: point.map { ["BODEGA_CRASH_POINT": $0] } ?? [:])
    }

    /// Lets the app do what is left over; what it said.
    private func launch() throws -> String { try lab.settle(environment: environment) }

    /// Holds store, provider and backend to so many purchases, each paid for once.
    private func checkPaid(_ count: Int, told: String) throws {
        #expect(try lab.waitForPayments() == 0, "something is still on its way")
        #expect(
            try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
                == Int64(count))
        try Audit(lab: lab).check(seen: Audit.seen(in: told))
        let charges = try lab.charges()
        #expect(
            charges.count == count && charges.values.allSatisfy { $0 == [Self.price] },
            "\(charges)")
        #expect(try lab.credit(of: Self.payer) == 0)
        try checkBooks()
        let captured = try SQLiteFile(provider.book).rows(
            "SELECT captured FROM payment WHERE captured IS NOT NULL")
        #expect(captured == Array(repeating: ["\(Self.price)"], count: count))
        try lab.tell(told)
        #expect(
            try Auditor.findings(in: lab.folder, settled: true, logs: lab.folder + "/logs") == [])
    }

    private func checkBooks() throws {
        lab.store?.kill()
        lab.backend?.kill()
        provider.kill()
        #expect(try Auditor.disagreements(of: lab, with: provider, settled: true) == [])
        try lab.doctor()
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        /// At which time it is reached.
        var time = 1
        /// How payments stand then, and whether the provider has the money.
        let states: [String]
        let isCaptured: Bool

        var testDescription: String { "\(point.rawValue):\(time)" }
    }

    static let rows = [
        Row(point: .storePaymentAsked, states: ["authorizing"], isCaptured: false),
        Row(point: .storePaymentAnswered, states: ["authorizing"], isCaptured: false),
        Row(point: .storePaymentSettled, states: ["capturing"], isCaptured: false),
        Row(point: .storePaymentAsked, time: 2, states: ["capturing"], isCaptured: false),
        Row(point: .storePaymentCaptured, states: ["capturing"], isCaptured: true),
    ]

    @Test(arguments: rows)
    func `a store killed around a payment has sold once and taken the money once`(row: Row) throws {
        try restartStore(crashingAt: row.testDescription)
        let buy = try lab.startApp(["buy", Lab.fuel], environment: environment)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        let states = try SQLiteFile(lab.storeFile).rows("SELECT state FROM payment").map { $0[0] }
        #expect(states == row.states)
        let isCaptured =
            try lab.count(
                "SELECT count(*) FROM payment WHERE captured IS NOT NULL", in: provider.book) == 1
        #expect(isCaptured == row.isCaptured)
        try lab.startStore()
        try buy.wait()
        try checkPaid(1, told: buy.output + (try launch()))
    }

    @Test func `a store killed around a refund has refunded the money once`() throws {
        let told = try lab.app(["buy", Lab.fuel], environment: environment)
        #expect(try lab.waitForPayments() == 0)
        let sold = try #require(
            try SQLiteFile(lab.storeFile).rows("SELECT id FROM store_transaction").first?.first)
        try restartStore(crashingAt: CrashPoint.storePaymentRefunded.rawValue)
        // The store may be gone before it has answered.
        _ = lab.takeBack(sold)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        let states = try SQLiteFile(lab.storeFile).rows("SELECT state FROM payment_refund")
        #expect(states == [["refunding"]])
        try lab.startStore()
        let later = try launch()
        #expect(try lab.waitForPayments() == 0, "something is still on its way")
        #expect(try lab.credit(of: Self.payer) == 0, "the money went to credit as well")
        try checkBooks()
        let given = try SQLiteFile(provider.book).rows("SELECT milliunits FROM refund")
        #expect(given == [["\(Self.price)"]])
        try lab.tell(told + later)
        #expect(
            try Auditor.findings(
                in: lab.folder, settled: true, withBackend: false, logs: lab.folder + "/logs")
                == [])
    }

    struct Held: CustomTestStringConvertible, Sendable {
        let fault: String
        let address: String
        /// Whether the provider has done it when it is killed.
        let isDone: Bool

        var testDescription: String { "\(address) \(fault)" }
    }

    static let held = ["/authorizations", "/captures"].flatMap { address in
        [
            Held(fault: "holdBefore", address: address, isDone: false),
            Held(fault: "holdAfter", address: address, isDone: true),
        ]
    }

    @Test(arguments: held)
    func `a provider killed with a request in progress has done it once`(held: Held) throws {
        try provider.set(
            faults: #"[{"fault":"\#(held.fault)","address":"\#(held.address)","next":1}]"#)
        let buy = try lab.startApp(["buy", Lab.fuel], environment: environment)
        #expect(try eventually { try provider.heldCount() == 1 })
        let known = try lab.count(
            "SELECT count(*) FROM request WHERE address = '\(held.address)'", in: provider.book)
        #expect(known == (held.isDone ? 1 : 0))
        provider.kill()
        try provider.start()
        try buy.wait()
        try checkPaid(1, told: buy.output + (try launch()))
    }

    @Test func `purchases during provider kills are each paid for once`() throws {
        var random = SplitMix(seed: 5)
        provider.faults = #"[{"fault":"late","milliseconds":80}]"#
        let device = CrashDevice(
            lab: lab, name: "phone", account: Self.payer, app: "RocketCar",
            environment: environment)
        try provider.set(faults: provider.faults)
        let (told, isOver) = (Shared(""), Shared(false))
        Thread.detachNewThread {
            for _ in 0..<4 {
                let said = try? device.run(["buy", Lab.fuel, "--time-limit", "150"]).output
                told.update { $0 += said ?? "" }
            }
            isOver.update { $0 = true }
        }
        while !isOver.value {
            usleep(UInt32(random.next(below: 700_000)))
            provider.kill()
            usleep(UInt32(random.next(below: 200_000)))
            try provider.start()
        }
        try provider.heal()
        #expect(try lab.waitForPayments() == 0)
        let later = try device.run(["launch", "--settle", "1", "--time-limit", "150"]).output
        try checkPaid(4, told: told.value + later)
    }

    @Test func `a purchase whose capture is declined stays, is named, and can be revoked`()
        throws
    {
        try provider.set(faults: #"[{"fault":"decline","address":"/captures"}]"#)
        let told = try lab.app(["buy", Lab.fuel], environment: environment)
        #expect(try lab.waitForPayments() == 0)
        let failed = try #require(
            try SQLiteFile(lab.storeFile).rows("SELECT id, state, transaction_id FROM payment")
                .first)
        #expect(failed[1] == "failed")
        #expect(Audit.seen(in: told) == [failed[2]])
        #expect(try lab.bodega(["payment", "list", "--state", "failed"]).contains(failed[0]))
        #expect(try lab.doctor().contains("warning  payments"))
        #expect(lab.takeBack(failed[2]))
        let later = try launch()
        #expect(try lab.waitForPayments() == 0)
        #expect(try lab.credit(of: Self.payer) == 0, "what nobody paid was given back")
        try checkBooks()
        try lab.tell(told + later)
        #expect(
            try Auditor.findings(
                in: lab.folder, settled: true, withBackend: false, logs: lab.folder + "/logs")
                == [])
    }

    @Test func `a declined card buys nothing and the app is told`() throws {
        try provider.set(faults: #"[{"fault":"decline","address":"/authorizations"}]"#)
        let buy = try lab.startApp(["buy", Lab.fuel], environment: environment)
        #expect(try buy.wait() != 0)
        #expect(buy.output.contains("cancelled \(Lab.fuel)"), "\(buy.output)\(buy.errors)")
        #expect(try lab.waitForPayments() == 0)
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 0)
        #expect(
            try SQLiteFile(lab.storeFile).rows("SELECT state FROM payment") == [["declined"]])
        try checkBooks()
    }
}
