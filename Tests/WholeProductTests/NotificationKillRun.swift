import Foundation
import StoreModel
import TestSupport
import Testing

/// A store that notifies an app's server of everything that happens, and that server, are killed at
/// moments that a seed chooses; then the auditor of notifications judges what both have on the disk.
final class NotificationKillRun {
    let lab: Lab
    private let seed: UInt64
    private let receiver: ReceiverProgram
    private let shop: NotifiedShop
    private var random: SplitMix
    /// Kills of the store that met notifications on their way.
    private(set) var deliveriesInterrupted = 0
    /// What the receiver got before all was left to settle.
    private(set) var deliveriesMeanwhile = 0
    private var receiverKills = 0
    private var troubles: [String] = []

    /// What the server does badly until it is healed: a fifth is refused, a tenth breaks off.
    private static let faults = #"{"status": 20, "close": 10}"#
    private static let waitMicrosecondsMax: UInt64 = 400_000
    /// One in so many kills follows the last one at once, and so meets a start.
    private static let quickOneIn: UInt64 = 4
    private static let quickMicrosecondsMax: UInt64 = 80_000
    /// One in so many kills waits until something more was delivered: a store that is killed again
    /// and again before it has signed what is left over would deliver nothing.
    private static let deliveryOneIn: UInt64 = 3
    /// One in so many kills is of the receiver.
    private static let receiverOneIn: UInt64 = 4
    /// Every so many kills, from the first, meet a delivery for certain, however fast the store is.
    private static let certainEvery = 4
    private static let progressEvery = 10
    /// What is older is gone at the end.
    private static let keptDays: Int64 = 192

    init(seed: UInt64, in environment: StoreEnvironment, version: Int = 2) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        lab = try Lab.open(withBackend: false)
        receiver = try ReceiverProgram(in: lab.folder, seed: seed &+ 1)
        try receiver.restart(faults: Self.faults)
        try lab.notify(receiver, in: environment.rawValue, version: version)
        shop = try NotifiedShop(lab: lab, seed: seed &+ 2, in: environment, version: version)
    }

    /// The folder that the auditor judges.
    var world: String { lab.folder + "/world" }

    /// The number of the oldest notification in it.
    var firstKept: Int64 {
        get throws {
            try lab.count(
                "SELECT coalesce(min(number), 0) FROM notification", in: world + "/default.sqlite")
        }
    }

    /// Kills so many times, lets everything be delivered, and gives what the auditor found.
    func run(kills: Int) throws -> [String] {
        try shop.open()
        // The faults of the receiver meet what happened, however slow the store is.
        try shop.attempt()
        if kills > 0 {
            shop.start()
            for number in 1...kills {
                try number % Self.certainEvery == 1 ? killInDelivery() : killOne()
                if number % Self.progressEvery == 0 || number == kills {
                    report(number, of: kills)
                }
            }
            shop.stop()
        }
        deliveriesMeanwhile = try receiver.taken().count
        try receiver.restart(faults: "{}")
        try shop.settle()
        // What was attempted last may have become old enough meanwhile; sweeps look once a day.
        shop.advance(days: 2)
        try shop.settle()
        let last = shop.now.adding(milliseconds: -Self.keptDays * Timestamp.dayMilliseconds)
        let old = "FROM notification WHERE due_ms IS NULL AND made_ms < \(last.milliseconds)"
        _ = eventually { (try? lab.count("SELECT count(*) \(old)", in: lab.storeFile)) == 0 }
        lab.store?.terminate()
        try lab.store?.wait()
        receiver.kill()
        return troubles + (try audit())
    }

    private var isUp: Bool { lab.store?.output.contains("listens on") == true }

    private func killOne() throws {
        let isQuick = random.next(below: Self.quickOneIn) == 0
        if !isQuick { _ = eventually { isUp || lab.store?.isRunning != true } }
        if !isQuick, random.next(below: Self.deliveryOneIn) == 0 {
            let before = receiver.byteCount
            _ = eventually { receiver.byteCount > before || lab.store?.isRunning != true }
        }
        let wait = isQuick ? Self.quickMicrosecondsMax : Self.waitMicrosecondsMax
        usleep(UInt32(random.next(below: wait)))
        if random.next(below: Self.receiverOneIn) == 0 {
            receiverKills += 1
            receiver.kill()
            return try receiver.start()
        }
        try killStore()
        try lab.startStore(mustWait: false)
    }

    /// Kills the store while a notification waits for a receiver that stands still.
    private func killInDelivery() throws {
        _ = eventually { isUp || lab.store?.isRunning != true }
        receiver.freeze()
        defer { receiver.goOn() }
        // Earlier ones may already be answered.
        let last = try lab.count("SELECT max(number) FROM notification", in: lab.storeFile)
        let isMet = eventually {
            (try? onTheirWay(after: last)) ?? 0 > 0 || lab.store?.isRunning != true
        }
        if !isMet { troubles.append("nothing was notified any more, \(shop.now)") }
        try killStore()
        try lab.startStore(mustWait: false)
    }

    private func onTheirWay(after number: Int64 = 0) throws -> Int64 {
        try lab.count(
            "SELECT count(*) FROM notification WHERE attempts = 0 AND number > \(number)",
            in: lab.storeFile)
    }

    private func killStore() throws {
        guard let store = lab.store else { return }
        if !store.isRunning {
            troubles.append("the store ended by itself: \(store.output)\(store.errors)")
        }
        store.kill()
        if try onTheirWay() > 0 { deliveriesInterrupted += 1 }
    }

    private func report(_ number: Int, of kills: Int) {
        let line =
            "seed \(seed): kill \(number) of \(kills) (\(receiverKills) of the receiver, "
            + "\(deliveriesInterrupted) met deliveries), \(shop.actions) things happened\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    private func audit() throws -> [String] {
        let files = FileManager.default
        try files.createDirectory(
            atPath: world + "/audit", withIntermediateDirectories: true)
        try files.copyItem(atPath: lab.storeFile, toPath: world + "/default.sqlite")
        try files.copyItem(atPath: receiver.log, toPath: world + "/audit/notifications.jsonl")
        return try Auditor.noticeFindings(in: world, logs: lab.folder + "/logs")
    }
}

extension Auditor {
    /// What the judge of notifications finds wrong.
    static func noticeFindings(in folder: String, logs: String) throws -> [String] {
        let program = try Program(
            "/usr/bin/python3", [Lab.package + "/Tests/Auditor/notifications.py", folder],
            logs: logs)
        return try findings(of: program, secondsMax: 600)
    }
}
