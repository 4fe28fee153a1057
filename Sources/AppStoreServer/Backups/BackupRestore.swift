import CrashPoints
import Foundation
import Glibc
import StoreDatabase
package import StoreModel
import StoreService
import StoreWire

/// Makes a data directory from a backup.
///
/// The worlds stay the ones they were: receipts stay valid, and devices stay signed in. What happened
/// after the backup is gone, but devices and backends may know of it; so all numbers that they could
/// have seen since are passed over.
package struct BackupRestore: Sendable {
    /// More numbers than a store can have used since a backup: ten thousand a second, and a thousand
    /// million for clocks that were set. As it grows with time, a store that is made from the same
    /// backup again passes over what the previous one used.
    static func passedOver(since madeAt: Timestamp, until now: Timestamp) -> Int64 {
        let elapsed = madeAt.milliseconds > 0 ? now.milliseconds - madeAt.milliseconds : 0
        return 1_000_000_000 + 10 * max(0, elapsed)
    }

    private let file: String
    private let wall: WallClock

    package init(from file: String, wall: WallClock) {
        self.file = file
        self.wall = wall
    }

    /// Fills the directory, which must be missing or empty, and may be one that only root could
    /// replace. A store does not start there before all is in place and on disk.
    package func write(to directory: String) throws -> Backup.About {
        guard isThere(file) else {
            throw BackupFailure("noBackup", "\(file) does not exist: name a file of bodega backup")
        }
        let isNew = !isThere(directory)
        if LockLook.isHeld(directory + "/lock") { throw Self.storeRuns(directory) }
        do {
            if !isNew { try checkFree(directory) }
            let lock = try DirectoryLock(directory: directory)
            return try withExtendedLifetime(lock) {
                try checkFree(directory)
                do {
                    return try fill(directory)
                } catch {
                    Self.empty(directory)
                    if isNew { try? FileManager.default.removeItem(atPath: directory) }
                    throw error
                }
            }
        } catch let error as BackupFailure {
            throw error
        } catch is DirectoryLock.Held {
            throw Self.storeRuns(directory)
        } catch let error as DatabaseError where error.code == .diskFull {
            throw BackupFailure.diskFull(directory)
        } catch {
            throw BackupFailure(Self.failed, "nothing was restored: \(error)")
        }
    }

    private func fill(_ directory: String) throws -> Backup.About {
        // While it is there, no store starts without keys.
        let stage = try BackupStage(
            in: directory, prefix: BackupStage.restorePrefix, code: Self.failed)
        let copy = stage.path + "/data"
        guard mkdir(copy, 0o700) == 0 else {
            throw BackupFailure.system("write", copy, code: Self.failed)
        }
        try Tar.unpack(file, into: copy)
        let about = try self.about(copy)
        try checkVersions(copy, about)
        try BackupCheck.sound(copy, wall: wall)
        let files = WorldFiles(directory: copy + "/worlds")
        let count = Self.passedOver(
            since: Timestamp(milliseconds: about.madeAt), until: wall.now())
        for name in try [.default] + files.sessionNames() {
            try passOver(count, in: files.path(name))
        }
        unlink("\(copy)/\(Backup.About.fileName)")
        try syncAll(copy)
        CrashPoint.storeBackupUnpacked.reach()
        let keys = "keys"
        let others = try FileManager.default.contentsOfDirectory(atPath: copy)
            .filter { $0 != keys }
        for names in [others, [keys]] {
            for name in names {
                guard rename("\(copy)/\(name)", "\(directory)/\(name)") == 0 else {
                    throw BackupFailure.system(
                        "put \(name) into", directory, code: Self.failed)
                }
            }
            try syncFile(directory)
            if names != [keys] { CrashPoint.storeBackupPlaced.reach() }
        }
        stage.remove()
        return about
    }

    private static let failed = "notRestored"

    private func checkFree(_ directory: String) throws {
        let left = try Self.names(in: directory)
            .filter { !$0.hasPrefix(BackupStage.restorePrefix) }
        guard left.isEmpty else { throw Self.notEmpty(directory) }
    }

    /// The names in a directory, without those that an empty one may have.
    private static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { !["lock", "lost+found"].contains($0) }
    }

    /// Removes what a restore that failed has put there, and last what keeps a store away.
    private static func empty(_ directory: String) {
        let names = (try? names(in: directory)) ?? []
        for isStage in [false, true] {
            for name in names where name.hasPrefix(BackupStage.restorePrefix) == isStage {
                try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
            }
        }
    }

    private static func storeRuns(_ directory: String) -> BackupFailure {
        BackupFailure(
            "storeRuns",
            "a store is running on \(directory): stop it and move the directory away, or name "
                + "another with --data")
    }

    private static func notEmpty(_ directory: String) -> BackupFailure {
        BackupFailure(
            "directoryNotEmpty",
            "\(directory) is not empty, and a restore replaces nothing: move it away, or name "
                + "another with --data")
    }

    private func about(_ copy: String) throws -> Backup.About {
        guard let data = FileManager.default.contents(atPath: "\(copy)/\(Backup.About.fileName)"),
            let about = try? WireJSON.decode(Backup.About.self, from: Array(data))
        else {
            throw BackupFailure(
                "backupDamaged", "\(file) is an archive, but not one of bodega backup")
        }
        // Nothing else is made by a backup, and a link could lead elsewhere.
        let all = FileManager.default.enumerator(atPath: copy)
        while let name = all?.nextObject() as? String {
            var info = stat()
            guard lstat("\(copy)/\(name)", &info) == 0,
                [S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT)
            else {
                throw BackupFailure(
                    "backupDamaged", "\(file) holds \(name), which is neither file nor folder")
            }
        }
        return about
    }

    private func checkVersions(_ copy: String, _ about: Backup.About) throws {
        let files = WorldFiles(directory: copy + "/worlds")
        for name in try [.default] + files.sessionNames() {
            let path = files.path(name)
            guard files.exists(path),
                let schema = try? DatabaseReader(path: path, isInUse: false).schemaNumber()
            else {
                throw BackupFailure(
                    "backupDamaged", "the world \(name) in \(file) cannot be read")
            }
            guard WorldSchema.current.refusal(of: schema) == nil else {
                let mine = "\(ProductVersion.text), schema \(WorldSchema.current.number)"
                throw BackupFailure(
                    "backupOfOtherVersion",
                    "\(file) was made by version \(about.version), schema \(schema), which this "
                        + "one (\(mine)) cannot read: restore it with that version or a later one")
            }
        }
    }

    private func passOver(_ count: Int64, in path: String) throws {
        let database = try Database(
            path: path, durability: .processOnly, schema: WorldSchema.current)
        do {
            try database.write { try $0.passOverNumbers(count) }
        } catch {
            database.close()
            throw error
        }
        database.close()
    }

    private func syncAll(_ copy: String) throws {
        let all = FileManager.default.enumerator(atPath: copy)
        while let name = all?.nextObject() as? String { try syncFile("\(copy)/\(name)") }
        try syncFile(copy)
    }
}

extension WriteScope {
    /// Passes over numbers that others may have got from a later state of this world: of
    /// transactions, events and app transactions, which devices and backends keep, and of accounts,
    /// by which a payment provider knows its customers. Revisions of receipts and key values rise,
    /// also where nothing changed yet, so that each device fetches the present ones.
    borrowing func passOverNumbers(_ count: Int64) throws {
        try execute("UPDATE environment SET transaction_next = transaction_next + ?1", [count])
        try execute(
            """
            UPDATE sequence SET next = next + ?1
            WHERE name = ?2 OR name LIKE '\(freeNumberPrefix)%'
            """, [count, appTransactionSequence])
        // The first account and event make their rows.
        try execute(
            """
            INSERT INTO sequence (name, next)
            VALUES ('event', 1 + ?1), ('account', 1 + ?1), (?2, ?1)
            ON CONFLICT (name) DO UPDATE SET next = sequence.next + ?1
            """, [count, revisionBase])
        try execute(
            """
            UPDATE key_value_revision SET revision = revision + ?1, forgotten = revision + ?1
            """, [count])
    }
}
