import Foundation
import Glibc
import StoreDatabase
package import StoreModel
import StoreService
import StoreWire

/// Copies a data directory into one file, while its store runs or not.
///
/// Each world is copied as it is at one moment, by its database alone; the store goes on selling. The
/// store replaces or deletes no world while that is copied (`WorldFiles.locks`). Keys are never
/// changed, and content only grows until the last world is copied.
package struct Backup: Sendable {
    /// A backup's description of itself.
    package struct About: Codable, Hashable, Sendable {
        static let fileName = "backup.json"

        /// That of the program that made it.
        package let version: String
        package let madeAt: Int64
        package let worlds: Int
    }

    fileprivate static let failed = "notBackedUp"

    private let directory: String
    private let wall: WallClock

    package init(of directory: String, wall: WallClock) {
        self.directory = directory
        self.wall = wall
    }

    /// Writes the backup under a name that is free. The file has its name when it is complete, was
    /// read back and is on disk.
    package func write(to file: String) throws -> (about: About, bytes: Int64) {
        try checkStore()
        guard !isThere(file) else {
            throw BackupFailure(
                "fileExists", "\(file) exists, and a backup replaces nothing: name another file")
        }
        let stage = try BackupStage(
            in: BackupStage.folder(of: file), prefix: BackupStage.backupPrefix, code: Self.failed)
        defer { stage.remove() }
        let copy = stage.path + "/data"
        do {
            let worlds = try copyAll(to: copy)
            let about = About(
                version: ProductVersion.text, madeAt: wall.now().milliseconds, worlds: worlds)
            try writeFile(
                try WireJSON.encode(about), to: "\(copy)/\(About.fileName)")
            try BackupCheck.sound(copy, wall: wall)
            let archive = stage.path + "/archive"
            try makeFolder(archive)
            let made = archive + "/" + URL(fileURLWithPath: file).lastPathComponent
            try Tar.pack(copy, into: made)
            let bytes = try publish(made, as: file)
            noteSuccess()
            return (about, bytes)
        } catch let error as BackupFailure where error.code != "diskFull" {
            throw error
        } catch is BackupFailure {
            throw BackupFailure.diskFull(file)
        } catch let error as DatabaseError where error.code == .diskFull {
            throw BackupFailure.diskFull(file)
        } catch {
            throw isFull(stage.path)
                ? BackupFailure.diskFull(file)
                : BackupFailure(Self.failed, "no backup was made: \(error)")
        }
    }

    private func checkStore() throws {
        guard isThere(directory + "/keys"), isThere(directory + "/worlds/default.sqlite") else {
            throw BackupFailure(
                "noStore",
                "\(directory) does not hold a store: name its data directory with --data")
        }
    }

    /// The number of worlds.
    private func copyAll(to copy: String) throws -> Int {
        // Without a store, nothing may start one that changes the files below.
        let lock: DirectoryLock?
        do {
            lock = try DirectoryLock(directory: directory)
        } catch is DirectoryLock.Held {
            lock = nil
        }
        return try withExtendedLifetime(lock) {
            for folder in ["", "/worlds", "/worlds/sessions", "/worlds/snapshots"] {
                try makeFolder(copy + folder)
            }
            let files = WorldFiles(directory: directory + "/worlds")
            let copied = WorldFiles(directory: copy + "/worlds")
            let locks = try files.locks()
            // No content is swept away that a world below still needs.
            _ = locks.take(WorldFiles.contentLock, .shared, waits: true)
            defer { locks.release(WorldFiles.contentLock) }
            var count = 0
            for name in try [.default] + files.sessionNames() {
                guard locks.take(name.text, .shared, waits: true) else { continue }
                defer { locks.release(name.text) }
                // A session may have been deleted meanwhile.
                guard files.exists(files.path(name)) else { continue }
                try copyDatabase(at: files.path(name), to: copied.path(name))
                count += 1
                try copyFolder(files.snapshots(of: name), to: copied.snapshots(of: name))
            }
            for folder in ["keys", "tls", "content"] {
                try copyFolder("\(directory)/\(folder)", to: "\(copy)/\(folder)")
            }
            for token in ["control-token", "metrics-token"] {
                try copyFile("\(directory)/\(token)", to: "\(copy)/\(token)")
            }
            return count
        }
    }

    /// The regular files in a folder, if there is one; their secrets stay secret.
    private func copyFolder(_ folder: String, to copy: String) throws {
        guard isThere(folder) else { return }
        try makeFolder(copy)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            try copyFile("\(folder)/\(name)", to: "\(copy)/\(name)")
        }
    }

    private func copyFile(_ file: String, to copy: String) throws {
        var info = stat()
        guard lstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return }
        try FileManager.default.copyItem(atPath: file, toPath: copy)
    }

    /// Gives the finished file its name, unless somebody else took that meanwhile.
    private func publish(_ made: String, as file: String) throws -> Int64 {
        guard chmod(made, 0o600) == 0 else { throw BackupFailure.system("protect", made) }
        try syncFile(made)
        guard link(made, file) == 0 else {
            throw errno == EEXIST
                ? BackupFailure(
                    "fileExists",
                    "\(file) was made meanwhile, and a backup replaces nothing: name another file")
                : BackupFailure.system("name the backup", file)
        }
        try syncFile(BackupStage.folder(of: file))
        var info = stat()
        guard stat(file, &info) == 0 else { throw BackupFailure.system("read", file) }
        return Int64(info.st_size)
    }

    /// For monitoring: the file's time is that of the last backup.
    private func noteSuccess() {
        _ = FileManager.default.createFile(
            atPath: directory + "/" + DataDirectory.lastBackupName, contents: Data(),
            attributes: [.posixPermissions: 0o600])
    }
}

extension WorldRegistry {
    /// When this data directory was last copied by `bodega backup`.
    var lastBackup: Timestamp? {
        files.look(at: files.directory + "/../" + DataDirectory.lastBackupName)?.changedAt
    }
}

/// Why a backup was not made or not restored, as a sentence that says what to do.
package struct BackupFailure: Error, Sendable, CustomStringConvertible {
    package let code: String
    package let description: String

    init(_ code: String, _ description: String) {
        self.code = code
        self.description = description
    }

    static func system(
        _ work: String, _ path: String, code: String = Backup.failed
    ) -> BackupFailure {
        errno == ENOSPC
            ? diskFull(path)
            : BackupFailure(code, "cannot \(work) \(path): \(String(cString: strerror(errno)))")
    }

    static func diskFull(_ file: String) -> BackupFailure {
        BackupFailure(
            "diskFull",
            "the disk of \(file) is full; nothing of the backup was left there. It needs room for "
                + "two copies of the data")
    }
}

func isThere(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0
}

private func isFull(_ path: String) -> Bool {
    freeBytes(path).map { $0 < 1 << 20 } ?? false
}

private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
}

private func writeFile(_ bytes: [UInt8], to path: String) throws {
    let isWritten = FileManager.default.createFile(
        atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    guard isWritten else { throw BackupFailure.system("write", path) }
}
