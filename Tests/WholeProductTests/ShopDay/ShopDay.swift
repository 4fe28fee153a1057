import Foundation
import Testing

/// A day of accounts with three devices each: purchases, restores and approvals over a network that
/// fails, while store and apps are killed. At noon everything is frozen and judged. In the evening
/// all comes to its end over a network that works, and is judged again.
final class ShopDay {
    let lab: Lab
    let plan: ShopDayPlan
    private let network: FaultyNetwork
    private let devices: [[CrashDevice]]
    /// The options of each device's app, by the device's name.
    private let appOptions: [String: [String]]
    private let pool: ShiftPool
    private var random: SplitMix
    private var counts: [String: Int] = [:]
    private var lastReport = Date()
    /// How many requests had ended when the store and when an app was killed last.
    private var requestsAtStoreKill = 0
    private var requestsAtKill = 0

    /// How long the day waits at most between two steps from outside.
    private static let pauseMicrosecondsMax: UInt64 = 300_000
    /// Kills are this many requests apart. If they were timed, every app on a busy machine would die
    /// before it had signed in.
    private static let requestsBetweenKills = 12
    private static let requestsBetweenStoreKills = 40
    private static let settleRoundsMax = 8
    private static let reportSeconds = 10.0
    /// Answers to requests for approval: one in so many is no.
    private static let declinedOneIn: UInt64 = 3

    /// The store ended by itself.
    struct Stopped: Error {
        let output: String
    }

    init(seed: UInt64, size: ShopDayPlan.Size) throws {
        plan = ShopDayPlan(seed: seed, size: size)
        random = SplitMix(seed: seed &+ 1)
        lab = try Lab.open(withBackend: false)
        network = try FaultyNetwork(to: lab.storePort, seed: seed &+ 2)
        let url = "http://127.0.0.1:\(network.port)/sandbox"
        let lab = lab
        devices = plan.accounts.enumerated().map { number, account in
            (0..<account.devices).map { device in
                CrashDevice(
                    lab: lab, name: "device\(number)-\(device)", account: account.name,
                    app: "ShopDayProbe", environment: ["STOREKIT_URL": url])
            }
        }
        pool = ShiftPool(plan, devices: devices)
        appOptions = devices.enumerated().reduce(into: [:]) { options, account in
            for (number, device) in account.element.enumerated() {
                options[device.name] = ShopDayPlan.appOptions(
                    account: account.offset, device: number)
            }
        }
    }

    deinit { network.close() }

    /// What the auditor found, and whatever else went wrong.
    func run() throws -> [String] {
        for account in plan.accounts { try lab.makeAccount(account) }
        try live(until: plan.shifts.count / 2)
        var findings = try noon()
        try live(until: plan.shifts.count)
        try evening()
        findings += try audit(settled: true)
        report()
        return findings + pool.troubles
    }

    var killed: (apps: Int, stores: Int) {
        (counts["apps killed", default: 0], counts["stores killed", default: 0])
    }

    // MARK: - The day

    /// Lets apps work, and disturbs them until so many shifts are done.
    private func live(until shiftsDone: Int) throws {
        pool.start()
        while pool.shiftsDone < shiftsDone {
            usleep(UInt32(random.next(below: Self.pauseMicrosecondsMax)))
            try step()
            if Date().timeIntervalSince(lastReport) > Self.reportSeconds { report() }
        }
    }

    private func step() throws {
        guard let store = lab.store, store.isRunning else {
            throw Stopped(output: lab.store.map { $0.output + $0.errors } ?? "")
        }
        let requests = network.requestsEnded
        switch random.next(below: 12) {
        case 0:
            guard requests >= requestsAtStoreKill + Self.requestsBetweenStoreKills else { return }
            requestsAtStoreKill = requests
            counts["stores killed", default: 0] += 1
            store.kill()
            try lab.startStore(mustWait: false)
        case 1...5:
            let running = pool.running
            guard !running.isEmpty, requests >= requestsAtKill + Self.requestsBetweenKills else {
                return
            }
            if running[Int(random.next(below: UInt64(running.count)))].kill() {
                requestsAtKill = requests
                counts["apps killed", default: 0] += 1
            }
        case 6...9:
            // A store that is not there just now is asked another time.
            for number in (try? lab.requestsForApproval()) ?? [] { try? answer(number) }
        default:
            for account in plan.accounts where account.interruptsPurchases {
                try? lab.resolveInterruptions(of: account.name)
            }
        }
    }

    private func answer(_ number: Int64) throws {
        // What is left for later is answered in the evening.
        guard random.next(below: 2) == 0 else { return }
        try lab.answerRequest(number, approve: random.next(below: Self.declinedOneIn) > 0)
        counts["requests answered", default: 0] += 1
    }

    /// Stops everything where it is and judges what is on the disk.
    private func noon() throws -> [String] {
        pool.stop()
        let findings = try audit(settled: false)
        try lab.startStore()
        return findings
    }

    // MARK: - The end

    private func evening() throws {
        network.heal()
        _ = eventually { (try? lab.requestsForApproval()) != nil }
        var rest = devices.flatMap { $0 }
        for _ in 0..<Self.settleRoundsMax where !rest.isEmpty {
            try answerAll()
            launch(rest)
            rest = try unsettled()
        }
    }

    /// Also what an app has only now asked for, which was killed before.
    private func answerAll() throws {
        while case let rest = try lab.requestsForApproval(), !rest.isEmpty {
            for number in rest {
                try lab.answerRequest(number, approve: random.next(below: Self.declinedOneIn) > 0)
            }
        }
        for account in plan.accounts where account.interruptsPurchases {
            try lab.resolveInterruptions(of: account.name)
        }
    }

    /// Starts each device's app once, to do what is left over.
    private func launch(_ devices: [CrashDevice]) {
        let next = Shared(0)
        let appOptions = appOptions
        onThreads(plan.size.appsAtOnce) { _ in
            while true {
                var number = 0
                next.update { value in
                    number = value
                    value += 1
                }
                guard number < devices.count else { return }
                let device = devices[number]
                _ = try? device.run(["--settle", "1000"] + (appOptions[device.name] ?? []))
            }
        }
    }

    /// Devices that have something left to do; their apps have to be started once more.
    private func unsettled() throws -> [CrashDevice] {
        let open = try lab.count(
            "SELECT count(*) FROM waiting_purchase WHERE answer IS NULL", in: lab.storeFile)
        if open > 0 { return devices.flatMap { $0 } }
        let revisions = try lab.receiptRevisions()
        let busy = try lab.accountsWithUnfinished()
        return devices.flatMap { $0 }.filter { device in
            // An app that uses StoreKit 2 asks for no receipt.
            !device.isTidy || busy.contains(device.account)
                || appOptions[device.name]?.isEmpty == true
                    && revisions[device.account].map { $0 != device.receiptRevision } ?? false
        }
    }

    // MARK: -

    private func audit(settled: Bool) throws -> [String] {
        lab.store?.kill()
        for device in devices.flatMap({ $0 }) { try device.noteTold() }
        return try Auditor.findings(
            in: lab.folder, settled: settled, withBackend: false, logs: lab.folder + "/logs")
    }

    private func report() {
        lastReport = Date()
        let faults = network.counts.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key) \($0.value)" }
        let steps = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let line =
            "seed \(plan.seed): \(pool.shiftsDone) of \(plan.shifts.count) shifts done, "
            + "\(pool.purchases) purchases told; " + (steps + faults).joined(separator: ", ")
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
