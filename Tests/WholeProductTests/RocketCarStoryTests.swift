import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// The example app against store and backend, from a purchase to its refund and from one device to
/// another, with either style of receipt for the backend.
@Suite(.ownThreads) struct RocketCarStoryTests {
    /// What the app sends for a purchase: its whole receipt, or the transaction's own.
    enum Style: String, CaseIterable, Sendable {
        case app, transaction
    }

    private static let track = "com.example.rocketcar.moontrack"

    private func app(
        _ arguments: [String], _ style: Style, in lab: Lab, device: String = "phone",
        user: String = "driver:steering-wheel-1", code: Int32? = 0
    ) throws -> String {
        try lab.app(
            arguments, device: device, user: user,
            environment: ["ROCKETCAR_RECEIPT": style.rawValue], code: code)
    }

    private func number(of product: String, in output: String) throws -> String {
        let line = try #require(
            output.split(separator: "\n").first { $0.hasPrefix("purchased \(product) ") },
            "\(output)")
        return String(line.split(separator: " ")[2])
    }

    private func backendCount(_ sql: String, in lab: Lab) throws -> Int64 {
        try lab.count("SELECT count(*) FROM " + sql, in: lab.backendData + "/backend.sqlite")
    }

    private func refundedCount(in lab: Lab) throws -> Int64 {
        try backendCount("grants WHERE refunded_at IS NOT NULL", in: lab)
    }

    private func contentFile(of product: String, in lab: Lab) -> String {
        "\(lab.folder)/phone-app/content/product-\(product)"
    }

    // MARK: - Refunds

    @Test(arguments: Style.allCases)
    func `a refund locks and removes what was bought and reaches the backend once`(style: Style)
        throws
    {
        let lab = try Lab.open()
        let turbo = try number(of: Lab.turbo, in: try app(["buy", Lab.turbo], style, in: lab))
        let track = try number(of: Self.track, in: try app(["buy", Self.track], style, in: lab))
        _ = try app(["buy", Lab.fuel], style, in: lab)
        for id in [turbo, track] {
            try lab.bodega(["transaction", "revoke", id, "--reason", "issue"])
        }
        let told = try app(["launch"], style, in: lab)
        #expect(told.contains("revoked "), "\(told)")
        for product in [Lab.turbo, Self.track] {
            #expect(told.contains("taken-back \(product)\n"), "\(told)")
            #expect(
                !FileManager.default.fileExists(atPath: contentFile(of: product, in: lab)))
        }
        let status = try app(["status"], style, in: lab)
        #expect(status.contains("turbo locked\n"), "\(status)")
        #expect(status.contains("fuel 100\n"))
        #expect(!status.contains("content \(Self.track)"))
        #expect(try refundedCount(in: lab) == 2)
        let sent = try backendCount("submissions", in: lab)
        let again = try app(["launch"], style, in: lab)
        #expect(!again.contains("taken-back"), "\(again)")
        #expect(try backendCount("submissions", in: lab) == sent, "it is told once")
        for product in [Lab.turbo, Self.track] {
            let restored = try app(["restore"], style, in: lab, device: "tablet")
            #expect(!restored.contains(product), "\(restored)")
        }
        try FileManager.default.removeItem(atPath: lab.receiptPath())
        #expect(try app(["status"], style, in: lab).contains("turbo locked\n"), "without it, too")
    }

    @Test func `a refund of fuel sends one purchase, and the backend finds out which it was`()
        throws
    {
        let lab = try Lab.open()
        let bought = try (1...3).map { _ in
            try number(of: Lab.fuel, in: try lab.app(["buy", Lab.fuel]))
        }
        let sent = try backendCount("submissions", in: lab)
        try lab.bodega(["transaction", "revoke", bought[0], "--reason", "other"])
        let told = try lab.app(["launch"])
        #expect(told.contains("revoked \(Lab.fuel)"), "\(told)")
        #expect(try backendCount("submissions", in: lab) == sent + 1)
        let refunded = "grants WHERE refunded_at IS NOT NULL AND transaction_id = '\(bought[0])'"
        #expect(try eventually { try backendCount(refunded, in: lab) == 1 })
        _ = try lab.app(["restore"])
        #expect(try lab.app(["status"]).contains("fuel 200\n"))
    }

    @Test func `a backend that was away learns of a refund at the next launch`() throws {
        let lab = try Lab.open()
        let turbo = try number(of: Lab.turbo, in: try lab.app(["buy", Lab.turbo]))
        lab.backend?.kill()
        try lab.backend?.wait()
        try lab.bodega(["transaction", "revoke", turbo, "--reason", "other"])
        let alone = try lab.app(["launch"])
        #expect(alone.contains("taken-back \(Lab.turbo)\n"), "\(alone)")
        #expect(alone.contains("the backend learns"), "\(alone)")
        try lab.startBackend()
        #expect(try refundedCount(in: lab) == 0)
        let told = try lab.app(["launch"])
        #expect(!told.contains("the backend learns"), "\(told)")
        #expect(try refundedCount(in: lab) == 1)
    }

    @Test func `a reversed refund unlocks the purchase again, and a second one locks it`() throws {
        let lab = try Lab.open()
        let turbo = try number(of: Lab.turbo, in: try lab.app(["buy", Lab.turbo]))
        try lab.bodega(["refund", "request", turbo, "--reason", "other"])
        try lab.bodega(["refund", "grant", turbo])
        #expect(try lab.app(["launch"]).contains("taken-back \(Lab.turbo)\n"))
        // The dates of receipts are in seconds.
        try lab.bodega(["clock", "advance", "1h"])
        try lab.bodega(["refund", "reverse", turbo])
        _ = try lab.app(["restore"])
        #expect(try lab.app(["status"]).contains("turbo unlocked by receipt\n"))
        #expect(try refundedCount(in: lab) == 0)
        try lab.bodega(["clock", "advance", "1h"])
        try lab.bodega(["transaction", "revoke", turbo, "--reason", "other"])
        #expect(try lab.app(["launch"]).contains("taken-back \(Lab.turbo)\n"))
        #expect(try lab.app(["status"]).contains("turbo locked\n"))
        #expect(try refundedCount(in: lab) == 1)
    }

    // MARK: - A second device

    @Test(arguments: Style.allCases)
    func `a second device restores consumables, and loses those refunded`(style: Style) throws {
        let lab = try Lab.open()
        let first = try number(of: Lab.fuel, in: try app(["buy", Lab.fuel], style, in: lab))
        _ = try app(["buy", Lab.fuel, "--quantity", "2"], style, in: lab)
        for _ in 1...2 {
            _ = try app(["restore"], style, in: lab, device: "tablet")
            let status = try app(["status"], style, in: lab, device: "tablet")
            #expect(status.contains("fuel 300\n"), "\(status)")
        }
        let stranger = try app(
            ["restore"], style, in: lab, device: "car", user: "passenger:steering-wheel-1")
        #expect(!stranger.contains("fuel"), "\(stranger)")
        try lab.bodega(["transaction", "revoke", first, "--reason", "other"])
        let submission = try SQLiteFile(lab.backendData + "/backend.sqlite").rows(
            "SELECT id FROM submissions WHERE transaction_id = '\(first)'")[0][0]
        try lab.operate(["recheck", submission])
        let drained = try app(["restore"], style, in: lab, device: "tablet")
        #expect(drained.contains("fuel 200 drained\n"), "\(drained)")
        #expect(try app(["status"], style, in: lab, device: "tablet").contains("fuel 200\n"))
    }

    // MARK: - Subscriptions

    private static let gold = "com.example.rocketcar.gold"
    private static let silver = "com.example.rocketcar.silver"
    private static let year = "com.example.rocketcar.silver.year"
    private static let bronze = "com.example.rocketcar.bronze"
    private static let magazine = "com.example.rocketcar.magazine"

    /// A lab that sells the fan club in several levels, of which silver has no content, by the
    /// calendar from 1 April 2031.
    private static func openFanClub() throws -> Lab {
        let lab = try Lab.open(withBackend: false)
        try lab.bodega([
            "catalog", "import", Lab.package + "/docs/lifecycle/fans.storekit", "--bundle-id",
            Lab.bundleID,
        ])
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2031-04-01"])
        try lab.startBackend(products: Lab.package + "/Examples/RocketCar/Backend/fans.json")
        return lab
    }

    @Test(arguments: Style.allCases)
    func `a subscription without content is delivered and said to be active`(style: Style) throws {
        let lab = try Self.openFanClub()
        let bought = try app(["buy", Self.silver], style, in: lab)
        #expect(bought.contains("subscription \(Self.silver) active until 2031-05-01"), "\(bought)")
        #expect(bought.contains("finished \(Self.silver)"))
        #expect(!bought.contains("ended"))
        let said = try app(["subscriptions"], style, in: lab)
        #expect(said.contains("subscription \(Self.silver) active until 2031-05-01"), "\(said)")
        #expect(!said.contains("404"))
    }

    @Test(arguments: Style.allCases)
    func `an upgrade brings the higher level's content and its end`(style: Style) throws {
        let lab = try Self.openFanClub()
        _ = try app(["buy", Self.bronze], style, in: lab)
        let upgraded = try app(["buy", Self.gold], style, in: lab)
        #expect(upgraded.contains("delivered \(Self.gold)"), "\(upgraded)")
        let launched = try app(["launch"], style, in: lab)
        #expect(!launched.contains("taken-back"), "an upgrade is no refund: \(launched)")
        let said = try app(["subscriptions"], style, in: lab)
        #expect(said.contains("subscription \(Self.gold) active until 2031-05-01"), "\(said)")
    }

    /// What a small app hears that finishes nothing, or everything.
    private func probe(_ arguments: [String], in lab: Lab, crash: CrashPoint? = nil) throws
        -> Program
    {
        var environment = lab.appEnvironment()
        environment["BODEGA_CRASH_POINT"] = crash?.rawValue
        let program = try Program(
            "PurchaseProbe", arguments, environment: environment, logs: lab.folder + "/logs")
        try program.wait()
        return program
    }

    /// Launches an app that finishes everything until the journal is empty; what it heard.
    private func settled(_ lab: Lab) throws -> [String] {
        var told: [String] = []
        let isSettled = try eventually {
            told += heard(try probe([], in: lab))
            return try lab.journalFiles(device: "phone").isEmpty
        }
        #expect(isSettled)
        return told
    }

    private func heard(_ program: Program) -> [String] {
        program.output.split(separator: "\n").filter { $0.hasPrefix("purchased ") }
            .map(String.init).sorted()
    }

    @Test(arguments: [
        "com.example.rocketcar.bronze", "com.example.rocketcar.silver.year",
    ])
    func `the answer to a downgrade or cross-grade returns until it is finished, by itself`(
        chosen: String
    ) throws {
        let lab = try Self.openFanClub()
        let bought = heard(try probe(["--keep", "--until=1", Self.silver], in: lab))
        let id = try #require(bought.first?.split(separator: " ").last)
        let both = ["purchased \(chosen) \(id)", "purchased \(Self.silver) \(id)"].sorted()
        #expect(heard(try probe(["--keep", "--until=2", chosen], in: lab)) == both)
        #expect(heard(try probe(["--keep", "--until=2"], in: lab)) == both)
        // The period alone is finished, by another device, which hears nothing of the answer.
        let other = try Program(
            "PurchaseProbe", ["--emptied=2", Self.magazine],
            environment: lab.appEnvironment(device: "tablet"), logs: lab.folder + "/logs")
        try other.wait()
        #expect(heard(other).contains("purchased \(Self.silver) \(id)"))
        #expect(!other.output.contains(chosen), "\(other.output)")
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NULL",
                in: lab.storeFile) == 0)
        let alone = ["purchased \(chosen) \(id)"]
        #expect(heard(try probe(["--keep", "--until=1"], in: lab)) == alone)
        // An older copy of the device does not bring back what is finished after it.
        let phone = "\(lab.folder)/phone"
        try FileManager.default.copyItem(atPath: phone, toPath: phone + "-before")
        #expect(heard(try probe(["--emptied=1"], in: lab)) == alone)
        #expect(try lab.journalFiles(device: "phone") == [])
        try FileManager.default.removeItem(atPath: phone)
        try FileManager.default.moveItem(atPath: phone + "-before", toPath: phone)
        #expect(try lab.journalFiles(device: "phone").count == 1)
        #expect(try settled(lab).isEmpty)
        let kept = try lab.bodega(["subscription", "show", String(id)])
        #expect(kept.contains(chosen), "\(kept)")
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 2)
    }

    @Test(arguments: [
        CrashPoint.deviceAttemptApproved, .storePurchaseCommitted, .deviceAttemptAnswered,
        .deviceReceiptWritten,
    ])
    func `the answer to a downgrade survives a kill and is chosen once`(point: CrashPoint) throws {
        let lab = try Self.openFanClub()
        let bought = heard(try probe(["--emptied=1", Self.silver], in: lab))
        let id = try #require(bought.first?.split(separator: " ").last)
        if point == .storePurchaseCommitted {
            lab.store?.terminate()
            try lab.store?.wait()
            try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
            let phone = try Program(
                "PurchaseProbe", ["--keep", "--until=1", Self.bronze],
                environment: lab.appEnvironment(), logs: lab.folder + "/logs")
            #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
            phone.kill()
            try phone.wait()
            try lab.startStore()
        } else {
            let killed = try probe(["--keep", "--until=1", Self.bronze], in: lab, crash: point)
            #expect(heard(killed).isEmpty, "\(killed.output)")
        }
        let again = ["purchased \(Self.bronze) \(id)"]
        #expect(heard(try probe(["--keep", "--until=1"], in: lab)) == again)
        #expect(heard(try probe(["--emptied=1"], in: lab)) == again)
        #expect(try lab.journalFiles(device: "phone") == [])
        #expect(
            try lab.count(
                "SELECT count(*) FROM event WHERE kind = 'renewalChanged'", in: lab.storeFile) == 1)
    }

    @Test(arguments: [
        (CrashPoint.deviceFinishCalled, true), (.deviceFinishWritten, false),
        (.deviceFinishAnswered, false),
    ])
    func `a kill while the answer to a downgrade is finished loses and repeats nothing`(
        point: CrashPoint, returns: Bool
    ) throws {
        let lab = try Self.openFanClub()
        _ = try probe(["--emptied=1", Self.silver], in: lab)
        _ = try probe(["--keep", "--until=1", Self.bronze], in: lab)
        let killed = try probe(["--emptied=1"], in: lab, crash: point)
        #expect(heard(killed).count == 1, "\(killed.output)")
        #expect(try settled(lab).count == (returns ? 1 : 0))
        #expect(
            try lab.count(
                "SELECT count(*) FROM attempt WHERE finished_ms IS NOT NULL", in: lab.storeFile)
                == 1)
    }

    @Test(
        arguments: Style.allCases,
        ["com.example.rocketcar.bronze", "com.example.rocketcar.silver.year"])
    func `a downgrade or cross-grade is delivered and finished, and begins at the renewal`(
        style: Style, chosen: String
    ) throws {
        let lab = try Self.openFanClub()
        let first = try number(
            of: Self.silver, in: try app(["buy", Self.silver], style, in: lab))
        let said = try app(["buy", chosen], style, in: lab)
        #expect(said.contains("purchased \(chosen) \(first)\n"), "\(said)")
        #expect(said.contains("chosen \(chosen) from 2031-05-01T00:00:00Z\n"), "\(said)")
        #expect(said.contains("finished \(chosen) \(first)\n"), "\(said)")
        #expect(try !app(["launch"], style, in: lab).contains(chosen))
        #expect(try lab.journalFiles(device: "phone") == [])
        try lab.bodega(["clock", "advance", "2031-05-02"])
        let renewed = try app(["launch"], style, in: lab)
        let second = try number(of: chosen, in: renewed)
        #expect(second != first)
        #expect(renewed.contains("finished \(chosen) \(second)\n"), "\(renewed)")
        let end = chosen == Self.year ? "2032-05-01" : "2031-06-01"
        let now = try app(["subscriptions"], style, in: lab)
        #expect(now.contains("subscription \(chosen) active until \(end)"), "\(now)")
        #expect(try lab.grantCount() == 1)
    }

    @Test(arguments: Style.allCases)
    func `months pass between launches and every period is delivered`(style: Style) throws {
        let lab = try Self.openFanClub()
        let first = try number(
            of: Self.gold, in: try app(["buy", Self.gold], style, in: lab))
        for (day, end) in [("2031-05-02", "2031-06-01"), ("2031-09-15", "2031-10-01")] {
            try lab.bodega(["clock", "advance", day])
            let launched = try app(["launch"], style, in: lab)
            #expect(!launched.contains("ended"), "\(launched)")
            let said = try app(["subscriptions"], style, in: lab)
            #expect(said.contains("subscription \(Self.gold) active until \(end)"), "\(said)")
        }
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NOT NULL",
                in: lab.storeFile) == 6)
        #expect(try lab.grantCount() == 1)
        try lab.bodega(["subscription", "cancel", first])
        try lab.bodega(["clock", "advance", "2032-01-15"])
        try lab.operate(["check", first])
        #expect(
            try eventually {
                try app(["subscriptions"], style, in: lab).contains("ended \(Self.gold)")
                    || !app(["status"], style, in: lab).contains("content \(Self.gold)")
            })
    }
}

extension Lab {
    /// Runs an operator's command against the backend; its output.
    @discardableResult
    func operate(_ arguments: [String], code: Int32 = 0) throws -> String {
        let program = try Program(
            "bodega", ["backend"] + arguments,
            environment: ["BODEGA_BACKEND_DATA": backendData], logs: folder + "/logs")
        let ended = try program.wait()
        #expect(ended == code, "\(program.output)\(program.errors)")
        return program.output
    }
}
