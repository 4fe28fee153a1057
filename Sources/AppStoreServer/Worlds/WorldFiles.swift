import Foundation
import Glibc
import StoreDatabase
import StoreModel

/// The files of the worlds in a data directory.
///
///     default.sqlite            the default world
///     sessions/NAME.sqlite      test sessions
///     snapshots/WORLD/NAME.sqlite
///     next/                     files in the making; emptied at each start
///     copied                    locks on the worlds that a backup copies
struct WorldFiles: Sendable {
    let directory: String

    /// The facts about a file without opening it.
    struct Look: Sendable {
        let bytes: Int64
        let changedAt: Timestamp
    }

    /// The lock on the bytes of content, of all worlds; no world has that name.
    static let contentLock = "content/"

    /// Locks on names of worlds: a backup holds those that it copies, and the store that it replaces
    /// or deletes.
    func locks() throws -> NameLocks { try NameLocks(path: directory + "/copied") }

    static func defaultPath(below directory: String) -> String { directory + "/default.sqlite" }

    func path(_ name: WorldName) -> String {
        name.isDefault
            ? Self.defaultPath(below: directory) : "\(sessions)/\(name).sqlite"
    }

    func draft(_ name: WorldName) -> String { "\(directory)/next/\(name).sqlite" }

    /// The path where the template of sessions is made; a world's draft always has an extension.
    var template: String { directory + "/next/template" }

    func snapshotDraft(_ name: WorldName) -> String { "\(directory)/next/\(name).snapshot" }

    func snapshots(of name: WorldName) -> String { "\(directory)/snapshots/\(name)" }

    func snapshot(_ snapshot: WorldName, of name: WorldName) -> String {
        "\(snapshots(of: name))/\(snapshot).sqlite"
    }

    private var sessions: String { directory + "/sessions" }

    /// The folder of a world's file.
    func folder(of name: WorldName) -> String { name.isDefault ? directory : sessions }

    /// Makes the folders and removes unfinished files of a crash.
    func prepare() throws {
        try? FileManager.default.removeItem(atPath: directory + "/next")
        for folder in ["sessions", "snapshots", "next"] {
            try makeFolder("\(directory)/\(folder)")
        }
    }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// All sessions, open or not.
    func sessionNames() throws -> [WorldName] { try names(in: sessions) }

    /// The snapshots of a world, by name.
    func snapshotNames(of name: WorldName) throws -> [WorldName] {
        let folder = snapshots(of: name)
        return exists(folder) ? try names(in: folder) : []
    }

    private func names(in folder: String) throws -> [WorldName] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".sqlite") }
            .compactMap { WorldName(String($0.dropLast(7))) }
            .sorted { $0.text < $1.text }
    }

    /// The size of a database with its log, and when it changed last; nil when it is gone.
    func look(at path: String) -> Look? {
        let parts = [path, path + "-wal"].compactMap { path -> stat? in
            var info = stat()
            return stat(path, &info) == 0 ? info : nil
        }
        guard exists(path), !parts.isEmpty else { return nil }
        let changed = parts.map {
            Int64($0.st_mtim.tv_sec) * 1_000 + Int64($0.st_mtim.tv_nsec) / 1_000_000
        }
        return Look(
            bytes: parts.reduce(0) { $0 + Int64($1.st_size) },
            changedAt: Timestamp(milliseconds: changed.max() ?? 0))
    }

    /// Removes a world: first its snapshots, which could be mistaken for its successor's.
    func remove(_ name: WorldName) {
        try? FileManager.default.removeItem(atPath: snapshots(of: name))
        for ending in ["", "-wal", "-shm"] { unlink(path(name) + ending) }
    }
}
