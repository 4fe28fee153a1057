import Foundation
import TestSupport
import Testing

/// The auditor finds nothing wrong with orders that are sound, and each kind of damage to a copy.
@Suite(.ownThreads) struct AuditorOrderTests {
    private typealias Damage = @Sendable (String) throws -> Void

    private struct Row: Sendable {
        let code: String
        let damage: Damage
    }

    private static func sql(_ statement: String) -> Damage {
        { copy in
            _ = try SQLiteFile(copy + "/store/worlds/default.sqlite").rows(statement)
        }
    }

    private static func told(
        _ device: String, _ change: @escaping @Sendable (String) -> String
    ) -> Damage {
        { copy in
            let path = "\(copy)/told/\(device).txt"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try Data(change(text).utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    private static func without(_ word: String) -> @Sendable (String) -> String {
        { text in
            text.split(separator: "\n").filter { !$0.hasPrefix(word + " ") }
                .joined(separator: "\n") + "\n"
        }
    }

    private static let rows = [
        Row(
            code: "order-twice",
            damage: sql(
                "UPDATE store_transaction SET application_username = 'order-1' "
                    + "WHERE application_username = 'order-2' AND restore_id IS NULL")),
        Row(
            code: "order-unknown",
            damage: sql(
                "UPDATE store_transaction SET application_username = 'order-9' "
                    + "WHERE application_username = 'order-1'")),
        Row(
            code: "order-wrong",
            damage: sql(
                "UPDATE store_transaction SET quantity = 3 "
                    + "WHERE application_username = 'order-1'")),
        Row(
            code: "failed-and-sold", damage: told("phone") { $0 + "failed \(Lab.fuel) order-1\n" }),
        Row(code: "finished-undelivered", damage: told("phone", without("delivered"))),
        Row(
            code: "told-early",
            damage: told("phone") { $0.replacing(" holds\n", with: " lacks\n") }),
        Row(
            code: "request-open",
            damage: sql(
                "UPDATE waiting_purchase SET answer = NULL, answered_ms = NULL "
                    + "WHERE application_username = 'order-4'")),
        Row(
            code: "signed-unverified",
            damage: told("phone") { $0 + "unverified 1 invalidSignature\n" }),
        Row(code: "refusal-untold", damage: told("tablet", without("failed"))),
    ]

    /// A lab with purchases, a restore, and requests for approval of which one was declined.
    private func makeLab() throws -> Lab {
        let lab = try Lab.open(withBackend: false)
        try lab.makeAccount(
            ShopDayPlan.Account(
                name: "child@example.com", devices: 1, needsApproval: true,
                interruptsPurchases: false))
        let phone = CrashDevice(
            lab: lab, name: "phone", account: "buyer@example.com", app: "ShopDayProbe")
        let tablet = CrashDevice(
            lab: lab, name: "tablet", account: "child@example.com", app: "ShopDayProbe")
        try run(phone, ["\(Lab.fuel)*2=order-1", "\(Lab.turbo)*1=order-2", "restore"])
        try run(tablet, ["\(Lab.fuel)*1=order-3", "\(Lab.fuel)*1=order-4"])
        let requests = try lab.requestsForApproval()
        try #require(requests.count == 2)
        for (number, request) in requests.enumerated() {
            try lab.answerRequest(request, approve: number == 0)
        }
        for device in [phone, tablet] {
            try run(device, ["--settle", "1500"])
            try device.noteTold()
        }
        lab.store?.kill()
        return lab
    }

    private func run(_ device: CrashDevice, _ arguments: [String]) throws {
        let ended = try device.run(arguments)
        try #require(ended.code == 0, "\(ended.output)")
    }

    private func findings(in folder: String, logs: String) throws -> [String] {
        try Auditor.findings(in: folder, settled: true, withBackend: false, logs: logs)
    }

    @Test func `the auditor accepts sound orders and finds each kind of damage`() throws {
        let lab = try makeLab()
        let logs = lab.folder + "/logs"
        #expect(try findings(in: lab.folder, logs: logs) == [])
        for row in Self.rows {
            let folder = TemporaryFolder()
            let copy = folder.file("lab")
            try FileManager.default.copyItem(atPath: lab.folder, toPath: copy)
            try row.damage(copy)
            let found = try findings(in: copy, logs: logs)
            #expect(found.contains { $0.hasPrefix(row.code + ":") }, "\(row.code): \(found)")
        }
    }
}
