import CrashPoints
import Foundation
import TestSupport
import Testing

/// What an account owns comes to its other devices, with the content that the store keeps for it.
@Suite(.ownThreads) struct RestoredDownloadTests {
    private func open() throws -> Lab {
        let lab = try Lab.open(withBackend: false)
        try DownloadTests.upload(DownloadTests.files, to: lab)
        return lab
    }

    private func device(
        _ name: String, _ lab: Lab, environment: [String: String] = [:]
    ) -> CrashDevice {
        CrashDevice(
            lab: lab, name: name, account: "buyer@example.com", app: "DownloadProbe",
            environment: environment)
    }

    private func run(_ device: CrashDevice, _ arguments: String..., code: Int32 = 0) throws
        -> String
    {
        let ended = try device.run(arguments)
        try #require(ended.code == code, "\(ended.output)")
        return ended.output
    }

    /// Buys on the phone, with the content moved to `mine`; the purchase's number.
    private func buy(_ lab: Lab, on phone: CrashDevice) throws -> String {
        let output = try run(phone, Lab.turbo, "--finish", "--move=\(lab.folder)/mine")
        try #require(output.contains("removed 1"), "\(output)")
        let heard = try #require(output.firstMatch(of: /purchased [^ ]+ ([0-9]+)\n/))
        return String(heard.1)
    }

    /// The number under which the purchase came back; its content is that of the phone.
    private func expectRestored(
        _ original: String, in output: String, _ lab: Lab
    ) throws -> String {
        let back = try #require(
            output.firstMatch(of: /restored ([^ ]+) ([0-9]+) ([0-9]+)\n/), "\(output)")
        #expect(back.1 == Lab.turbo && back.2 != original && back.3 == original)
        #expect(output.contains("removed 1"), "\(output)")
        let list = "/ContentInfo.plist"
        for place in ["mine", "theirs"] {
            try DownloadTests.expectContent(at: "\(lab.folder)/\(place)")
        }
        #expect(
            FileManager.default.contents(atPath: lab.folder + "/mine" + list)
                == FileManager.default.contents(atPath: lab.folder + "/theirs" + list))
        return String(back.2)
    }

    private func expectSound(_ lab: Lab, _ devices: CrashDevice...) throws {
        lab.store?.kill()
        for device in devices { try device.noteTold() }
        let findings = try Auditor.findings(
            in: lab.folder, settled: false, withBackend: false, logs: lab.folder + "/logs")
        #expect(findings == [])
    }

    @Test func `another device restores a finished purchase and downloads its content again`()
        throws
    {
        let lab = try open()
        let (phone, tablet) = (device("phone", lab), device("tablet", lab))
        let original = try buy(lab, on: phone)
        let output = try run(tablet, "--restore", "--finish", "--move=\(lab.folder)/theirs")
        #expect(output.contains("found 0 0.0") && output.contains("download 3 1.0"))
        #expect(output.contains("restore-finished"))
        let back = try expectRestored(original, in: output, lab)
        #expect(
            try lab.count(
                """
                SELECT count(*) FROM store_transaction
                WHERE finished_ms IS NOT NULL AND id IN (\(original), \(back))
                """, in: lab.storeFile) == 2)
        try expectSound(lab, phone, tablet)
    }

    @Test func `a device killed after restored content arrived has it at its next launch`()
        throws
    {
        let lab = try open()
        let phone = device("phone", lab)
        let original = try buy(lab, on: phone)
        let dying = device(
            "tablet", lab,
            environment: ["BODEGA_CRASH_POINT": CrashPoint.deviceDownloadComplete.rawValue])
        let before = try run(dying, "--restore", "--finish", code: 128 + SIGKILL)
        #expect(!before.contains("content"))
        try expectSound(lab, phone, dying)
        try lab.startStore()
        let tablet = device("tablet", lab)
        let output = try run(tablet, "--finish", "--move=\(lab.folder)/theirs")
        #expect(!output.contains("download 1 0."), "it was loaded before: \(output)")
        _ = try expectRestored(original, in: output, lab)
        try expectSound(lab, tablet)
    }
}
