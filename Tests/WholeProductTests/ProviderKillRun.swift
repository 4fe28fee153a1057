import Foundation
import StoreCaller
import Synchronization
import Testing

/// Apps buy with cards, and purchases are taken back, while store, payment provider and apps are
/// killed at moments that a seed chooses, and the provider answers badly; then what is on the disk
/// is judged, and once more when all has come to its end.
final class ProviderKillRun {
    let lab: Lab
    let seed: UInt64
    private let provider: ProviderProgram
    private var random: SplitMix
    private let buyers: [CardBuyer]
    private var counts: [String: Int] = [:]
    private var troubles: [String] = []

    /// The longest wait between two kills.
    private static let waitMicrosecondsMax: UInt64 = 500_000
    /// One in so many kills follows the last one at once, and so meets a start.
    private static let quickOneIn: UInt64 = 4
    private static let quickMicrosecondsMax: UInt64 = 80_000
    private static let progressEvery = 10
    private static let settleRoundsMax = 8

    init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        (lab, provider) = try Lab.openWithProvider(seed: seed &+ 1, withBackend: false)
        let lab = lab
        buyers = try (0..<4).map { number in
            let account = "payer\(number)@example.com"
            // One pays a part with credit.
            try number == 0
                ? lab.openProduction(account, credit: "7.50") : lab.openCardAccount(account)
            return CardBuyer(
                lab: lab, name: "phone\(number)", account: account,
                seed: seed &+ UInt64(number + 2))
        }
        provider.faults = ProviderFaults.purchases
        try provider.set(faults: provider.faults)
    }

    /// Kills so many times and looks; then lets all come to its end, and looks again. Gives what
    /// the auditors found.
    func run(kills: Int) throws -> [String] {
        for buyer in buyers { buyer.start() }
        // On a busy machine all kills might be over before any app has paid.
        let captured = "SELECT count(*) FROM payment WHERE state = 'captured'"
        _ = eventually { (try? lab.count(captured, in: lab.storeFile)) ?? 0 > 0 }
        var number = 0
        while number < kills {
            let isQuick = random.next(below: Self.quickOneIn) == 0
            usleep(
                UInt32(
                    random.next(
                        below: isQuick ? Self.quickMicrosecondsMax : Self.waitMicrosecondsMax)))
            guard try killOne() else { continue }
            number += 1
            if number % Self.progressEvery == 0 || number == kills { report(number, of: kills) }
        }
        for buyer in buyers { buyer.stop() }
        var findings = try audit(settled: false)
        try provider.heal()
        try lab.startStore()
        try settle()
        findings += try audit(settled: true)
        return findings + troubles + (try doctor())
    }

    /// False when the moment met nothing to be killed.
    private func killOne() throws -> Bool {
        switch random.next(below: 7) {
        case 0...1:
            note("store", lab.store)
            lab.store?.kill()
            try lab.startStore(mustWait: false)
        case 2...3:
            note("provider", provider.program)
            provider.kill()
            try provider.start(mustWait: false)
        case 4...5:
            let buyer = buyers[Int(random.next(below: UInt64(buyers.count)))]
            guard buyer.device.kill() else { return false }
            counts["apps", default: 0] += 1
        default:
            takeSomethingBack()
            return false
        }
        return true
    }

    private func note(_ name: String, _ program: Program?) {
        counts[name, default: 0] += 1
        if let program, !program.isRunning {
            troubles.append("\(name) ended by itself: \(program.output)\(program.errors)")
        }
    }

    private func takeSomethingBack() {
        guard
            let sold = try? SQLiteFile(lab.storeFile).rows(
                "SELECT id FROM store_transaction ORDER BY id"), !sold.isEmpty
        else { return }
        // A store that is not there just now is asked another time.
        if lab.takeBack(sold[Int(random.next(below: UInt64(sold.count)))][0]) {
            counts["revocations", default: 0] += 1
        }
    }

    private func report(_ number: Int, of kills: Int) {
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let line =
            "seed \(seed): kill \(number) of \(kills) (\(parts.joined(separator: ", "))), "
            + "\(buyers.reduce(0) { $0 + $1.purchases }) purchases told\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Launches every app until a round of launches leaves nothing to do.
    private func settle() throws {
        for _ in 0..<Self.settleRoundsMax {
            let left = try lab.waitForPayments()
            try #require(left == 0, "\(left) payments or refunds never came to their end")
            let isQuiet = try buyers.map { try $0.launch() }.allSatisfy { $0 }
            let isEmpty = buyers.allSatisfy(\.device.isTidy)
            let revisions = try lab.receiptRevisions()
            let areReceiptsNew = buyers.allSatisfy { buyer in
                revisions[buyer.device.account].map { $0 == buyer.device.receiptRevision } ?? true
            }
            if isQuiet, isEmpty, areReceiptsNew, try lab.openPayments() == 0 { return }
        }
    }

    /// What the store's own judge of its files finds wrong.
    private func doctor() throws -> [String] {
        let program = try Program(
            "bodega", ["doctor", "--data", lab.storeData, "--port", "0"], logs: lab.folder + "/logs"
        )
        return try program.wait() == 0 ? [] : ["doctor: \(program.output)\(program.errors)"]
    }

    private func audit(settled: Bool) throws -> [String] {
        lab.store?.kill()
        provider.kill()
        for buyer in buyers { try buyer.device.noteTold() }
        return try Auditor.findings(
            in: lab.folder, settled: settled, withBackend: false, logs: lab.folder + "/logs")
            + Auditor.disagreements(of: lab, with: provider, settled: settled)
    }
}

/// One device whose app orders again and again, each order under a name of its own, and is launched
/// anew when it is killed.
private final class CardBuyer: Sendable {
    private struct State: Sendable {
        var random: SplitMix
        var orders = 0
        var isStopping = false
        var purchases = 0
    }

    private static let products = [
        Lab.fuel, Lab.fuel, Lab.season, Lab.turbo, "com.example.rocketcar.moontrack",
    ]

    let device: CrashDevice
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    init(lab: Lab, name: String, account: String, seed: UInt64) {
        device = CrashDevice(
            lab: lab, name: name, account: account, app: "ShopDayProbe",
            environment: lab.productionEnvironment)
        state = Mutex(State(random: SplitMix(seed: seed)))
    }

    var purchases: Int { state.withLock { $0.purchases } }

    /// Buys on a thread of its own until `stop`.
    func start() {
        Thread.detachNewThread { [self] in
            while let orders = nextOrders() {
                _ = try? run(["--at-once", "2", "--time-limit", "30"] + orders)
            }
            ended.signal()
        }
    }

    /// Kills the app and buys no more.
    func stop() {
        state.withLock { $0.isStopping = true }
        while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut { device.kill() }
    }

    /// Lets the app do what is left over; whether nothing is after it.
    func launch() throws -> Bool { try run(["--settle", "1000"]) == 0 }

    private func nextOrders() -> [String]? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            return (0..<2).map { _ in
                let product =
                    Self.products[Int(state.random.next(below: UInt64(Self.products.count)))]
                let quantity = product == Lab.fuel ? 1 + state.random.next(below: 3) : 1
                state.orders += 1
                return "\(product)*\(quantity)=order-\(device.name).\(state.orders)"
            }
        }
    }

    private func run(_ arguments: [String]) throws -> Int32 {
        let (code, output) = try device.run(arguments)
        state.withLock { $0.purchases += Audit.seen(in: output).count }
        return code
    }
}
