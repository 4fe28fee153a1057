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

    /// Changes the lines of the copy of signed purchases that the watch keeps.
    private static func signed(
        _ change: @escaping @Sendable ([Substring]) -> [Substring]
    ) -> Damage {
        { copy in
            let folder = copy + "/watch/signed"
            let file = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder).first {
                    $0.hasSuffix(".copy")
                })
            let path = "\(folder)/\(file)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let changed = change(text.split(separator: "\n")).joined(separator: "\n") + "\n"
            try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    /// An order of StoreKit 2.
    private static let signedOrder = "00000001-0000-4000-8000-000000000001"

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
        Row(
            code: "told-lost",
            damage: told("watch") { $0 + "purchased \(Lab.fuel) 2000000000999999 -\n" }),
        Row(
            code: "came-back",
            damage: told("watch") { text in
                text + (text.split(separator: "\n").last { $0.hasPrefix("purchased ") } ?? "")
                    + "\n"
            }),
        Row(code: "copy-damaged", damage: signed { $0.map { $0.replacing("{", with: "[") } }),
        Row(
            code: "copy-unsold",
            damage: sql(
                "DELETE FROM store_transaction WHERE application_username = '\(signedOrder)'")),
        Row(
            code: "copy-wrong",
            damage: sql(
                "UPDATE store_transaction SET quantity = 3 "
                    + "WHERE application_username = '\(signedOrder)'")),
        Row(
            code: "copy-lost",
            damage: signed { $0.filter { !$0.contains(#""transaction":"#) } }),
        Row(
            code: "copy-unfinished",
            damage: signed { lines in
                lines.filter {
                    !$0.contains(#""finished":"#) && !$0.contains(#""isFinished":true"#)
                }
            }),
    ]

    /// A lab with purchases by both interfaces, a restore, and requests for approval of which one was declined.
    private func makeLab() throws -> Lab {
        let lab = try Lab.open(withBackend: false)
        try lab.makeAccount(
            ShopDayPlan.Account(
                name: "child@example.com", devices: 1, needsApproval: true,
                interruptsPurchases: false))
        try lab.makeAccount(
            ShopDayPlan.Account(
                name: "reader@example.com", devices: 1, needsApproval: false,
                interruptsPurchases: false))
        let phone = CrashDevice(
            lab: lab, name: "phone", account: "buyer@example.com", app: "ShopDayProbe")
        let tablet = CrashDevice(
            lab: lab, name: "tablet", account: "child@example.com", app: "ShopDayProbe")
        let watch = CrashDevice(
            lab: lab, name: "watch", account: "reader@example.com", app: "ShopDayProbe")
        try run(watch, ["--storekit2", "\(Lab.fuel)*2=\(Self.signedOrder)"])
        try run(phone, ["\(Lab.fuel)*2=order-1", "\(Lab.turbo)*1=order-2", "restore"])
        try run(tablet, ["\(Lab.fuel)*1=order-3", "\(Lab.fuel)*1=order-4"])
        let requests = try lab.requestsForApproval()
        try #require(requests.count == 2)
        for (number, request) in requests.enumerated() {
            try lab.answerRequest(request, approve: number == 0)
        }
        for device in [phone, tablet, watch] {
            let options = device.name == "watch" ? ["--storekit2"] : []
            try run(device, options + ["--settle", "1500"])
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
