import Foundation
import Testing

/// Several apps buy at once while store, backend and apps are killed at moments that a seed
/// chooses; then the auditor judges what is on the disk.
final class CrashRun {
    let lab: Lab
    let seed: UInt64
    private var random: SplitMix
    private let buyers: [CrashBuyer]
    private var counts: [String: Int] = [:]
    /// Kills that met a program which had not come up yet.
    private(set) var startsInterrupted = 0
    private(set) var troubles: [String] = []

    /// The longest wait between two kills.
    private static let waitMicrosecondsMax: UInt64 = 350_000
    /// One in so many kills follows the last one at once, and so meets a start or a recovery.
    private static let quickOneIn: UInt64 = 3
    private static let quickMicrosecondsMax: UInt64 = 80_000
    private static let progressEvery = 10

    init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        lab = try Lab.open()
        for account in ["second@example.com", "third@example.com"] {
            try lab.bodega(["account", "add", account, "--password", "rocket-fuel-1"])
        }
        // A real one, whose credit pays and comes to an end.
        try lab.openProduction("payer@example.com", credit: "40")
        // What is owned for ever belongs to one player, so those who share buy only what is used.
        let shared = [Lab.fuel, "com.example.rocketcar.season"]
        let all = shared + [Lab.turbo, "com.example.rocketcar.moontrack"]
        let lab = lab
        // Two devices share each of the first two accounts. RocketCar's have a player each at the
        // backend; half of the devices use StoreKit 2.
        let devices: [(account: String, app: CrashBuyer.App, products: [String])] = [
            ("buyer@example.com", .rocketCar, shared), ("buyer@example.com", .rocketCar, shared),
            ("second@example.com", .storeKit2(number: 1), shared),
            ("second@example.com", .storeKit2(number: 2), shared),
            ("third@example.com", .storeKit2(number: 3), all),
            ("payer@example.com", .rocketCar, all),
        ]
        buyers = devices.enumerated().map { number, device in
            CrashBuyer(
                lab: lab, name: "phone\(number)", account: device.account, app: device.app,
                products: device.products, seed: seed &+ UInt64(number + 1),
                environment: device.account == "payer@example.com"
                    ? lab.productionEnvironment : [:])
        }
    }

    /// Kills so many times, freezes everything, and looks; then lets all come to its end, and
    /// looks again. Gives what the auditor found.
    func run(kills: Int) throws -> [String] {
        for buyer in buyers { buyer.start() }
        // On a busy machine all kills might be over before any app is up.
        _ = eventually {
            (try? lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)) ?? 0 > 0
        }
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
        killServers()
        for buyer in buyers { try buyer.device.noteTold() }
        var findings = try audit(settled: false)
        try lab.startStore()
        try lab.startBackend()
        try settle()
        killServers()
        findings += try audit(settled: true)
        return findings + troubles
    }

    /// False when the moment met an app that does not run.
    private func killOne() throws -> Bool {
        switch random.next(below: 3) {
        case 0:
            note("store", lab.store)
            lab.store?.kill()
            try lab.startStore(mustWait: false)
        case 1:
            note("backend", lab.backend)
            lab.backend?.kill()
            try lab.startBackend(mustWait: false)
        default:
            let buyer = buyers[Int(random.next(below: UInt64(buyers.count)))]
            guard buyer.device.kill() else { return false }
            counts["apps", default: 0] += 1
        }
        return true
    }

    private func note(_ name: String, _ program: Program?) {
        counts[name, default: 0] += 1
        guard let program else { return }
        if !program.isRunning {
            troubles.append("\(name) ended by itself: \(program.output)\(program.errors)")
        } else if !program.output.contains("listens on") {
            startsInterrupted += 1
        }
    }

    private func killServers() {
        lab.store?.kill()
        lab.backend?.kill()
    }

    private func report(_ number: Int, of kills: Int) {
        let purchases = buyers.reduce(0) { $0 + $1.purchases }
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let line =
            "seed \(seed): kill \(number) of \(kills) (\(parts.joined(separator: ", ")); "
            + "\(startsInterrupted) during a start), \(purchases) purchases told\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Launches every app until a round of launches leaves nothing to do.
    private func settle() throws {
        for _ in 0..<8 {
            let isQuiet = try buyers.map { try $0.launch() }.allSatisfy { $0 }
            let isEmpty = buyers.allSatisfy(\.device.isTidy)
            if isQuiet, isEmpty, try openSubmissions() == 0, try areReceiptsNew() { return }
        }
        // What the backend kept is tried again after a wait that grows with each try.
        for _ in 0..<180 where try openSubmissions() > 0 { sleep(1) }
    }

    private func openSubmissions() throws -> Int64 {
        try lab.count(
            "SELECT count(*) FROM submissions WHERE next_try_at IS NOT NULL",
            in: lab.backendData + "/backend.sqlite")
    }

    /// Whether the receipt of each device that has one has the store's revision; two that share an
    /// account may have to look once more.
    private func areReceiptsNew() throws -> Bool {
        let newest = try lab.receiptRevisions()
        return buyers.allSatisfy { buyer in
            guard case .rocketCar = buyer.app else { return true }
            return newest[buyer.device.account].map { $0 == buyer.device.receiptRevision } ?? true
        }
    }

    private func audit(settled: Bool) throws -> [String] {
        try Auditor.findings(in: lab.folder, settled: settled, logs: lab.folder + "/logs")
    }
}
