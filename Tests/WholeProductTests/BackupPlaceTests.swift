import CrashPoints
import Foundation
import Glibc
import TestSupport
import Testing

/// Where backups are made and restored.
@Suite(.ownThreads) struct BackupPlaceTests {
    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    @Test(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment))
    func `a backup is restored into an empty directory that cannot be replaced`() throws {
        let lab = try Lab.open(withBackend: false)
        let file = lab.folder + "/bodega.tar"
        try lab.bodega(["backup", file])
        // As a container's volume is, on a disk of its own; nothing can be made beside it.
        let parent = lab.folder + "/var"
        let target = parent + "/bodega"
        let disk = try SmallDisk(at: target, kibibytes: 32_768, logs: lab.folder + "/logs")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o500], ofItemAtPath: parent)
        defer {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: parent)
        }
        try makeFolder(disk.outside + "/lost+found")
        func restore() throws -> (code: Int32, said: String) {
            let program = try Program(
                "bodega", ["restore-backup", file, "--data", target], through: disk.prefix,
                logs: lab.folder + "/logs")
            return (try program.wait(), program.output + program.errors)
        }
        let first = try restore()
        #expect(first.code == 0, "\(first.said)")
        let found = try names(disk.outside)
        #expect(!found.contains { $0.hasPrefix(".") }, "\(found)")
        #expect(Set(["control-token", "keys", "worlds"]).isSubset(of: found))
        let again = try restore()
        #expect(again.code == 1 && again.said.contains("is not empty"))
        #expect(try names(disk.outside) == found)
    }

    @Test(arguments: [CrashPoint.storeBackupUnpacked, .storeBackupPlaced])
    func `no store begins where a restore was killed`(point: CrashPoint) throws {
        let lab = try Lab.open(withBackend: false)
        let file = lab.folder + "/bodega.tar"
        try lab.bodega(["backup", file])
        let target = lab.folder + "/target"
        let restore = ["restore-backup", file, "--data", target]
        try lab.bodega(
            restore, code: 128 + SIGKILL, environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let isPlaced = point == .storeBackupPlaced
        let found = try names(target)
        #expect(found.contains { $0.hasPrefix(".bodega-restore.") })
        #expect(found.contains("worlds") == isPlaced && !found.contains("keys"), "\(found)")
        let said = try lab.bodega(["serve", "--data", target, "--port", "0"], code: 1)
        #expect(said.contains("a restore of a backup into \(target) did not end"), "\(said)")
        // Its own stage alone is not in the way of another restore.
        let again = try lab.bodega(restore, code: isPlaced ? 1 : 0)
        #expect(again.contains("is not empty") == isPlaced, "\(again)")
        #expect(try names(target).contains { $0.hasPrefix(".bodega-restore.") } == isPlaced)
    }

    @Test func `a file of any name is a backup, and stages of others stay`() throws {
        let lab = try Lab.open(withBackend: false)
        let folder = lab.folder + "/backups"
        for name in ["left", "held"] { try makeFolder("\(folder)/.bodega-backup.\(name)") }
        let held = open(folder + "/.bodega-backup.held/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(held) }
        #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
        for name in ["data", "archive", "lock", "host:12:30.tar"] {
            try lab.bodega(["backup", "\(folder)/\(name)"])
            try lab.bodega([
                "restore-backup", "\(folder)/\(name)", "--data", "\(lab.folder)/from-\(name)",
            ])
        }
        #expect(
            try names(folder)
                == [".bodega-backup.held", "archive", "data", "host:12:30.tar", "lock"])
    }

    @Test func `a backup stays that is older than others by a clock that was set back`() throws {
        let lab = try Lab.open(withBackend: false)
        let folder = lab.folder + "/backups"
        try makeFolder(folder)
        for day in 1...3 {
            _ = FileManager.default.createFile(
                atPath: "\(folder)/bodega-2999010\(day)T000000Z.tar", contents: Data())
        }
        try lab.bodega(["backup", folder, "--keep", "2"])
        let left = try names(folder)
        #expect(left.count == 2 && left.last == "bodega-29990103T000000Z.tar", "\(left)")
        #expect(left.first?.hasPrefix("bodega-20") == true)
    }

    @Test func `an export is for its owner alone`() throws {
        let lab = try Lab.open(withBackend: false)
        let file = lab.folder + "/buyer.json"
        _ = FileManager.default.createFile(
            atPath: file, contents: Data(), attributes: [.posixPermissions: 0o644])
        try lab.bodega(["account", "export", "buyer@example.com", file])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try names(lab.folder).filter { $0.hasPrefix("buyer.json") } == ["buyer.json"])
    }
}
