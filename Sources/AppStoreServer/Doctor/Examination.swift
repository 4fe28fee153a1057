import Foundation
import Glibc
package import StoreModel
import StoreSigning

/// Examines whether an installation is sound. Only reads, even while its store runs.
package struct Examination: Sendable {
    /// Sessions whose files are read through; the others are counted.
    static let sessionsReadMax = 100

    let directory: String
    let wall: WallClock
    /// Whether a store holds the directory now.
    package let isInUse: Bool

    package init(directory: String, wall: WallClock) {
        self.directory = directory
        self.wall = wall
        isInUse = LockLook.isHeld(directory + "/lock")
    }

    var files: WorldFiles { WorldFiles(directory: directory + "/worlds") }

    /// The findings that need no running store, in the order in which to fix things.
    package func findings() -> [Finding] {
        if let absent = storeAbsent() { return [absent, clock(), libraries()] }
        let own = dataDirectory()
        // A directory that cannot be read allows no further findings.
        if own.state == .bad { return [own, clock(), libraries()] }
        return [own, lock(), disk(), clock(), libraries(), token(), keys(), roots()]
            + databases()
    }

    /// The single finding when there is no store to examine; nil when there is one, whole or not.
    private func storeAbsent() -> Finding? {
        let check = "data directory"
        let start =
            "start a store once, with: bodega serve --data \(directory); or name another with "
            + "--data"
        var info = stat()
        guard stat(directory, &info) == 0 else {
            return errno == ENOENT
                ? .bad(check, "\(directory) does not exist", start)
                : .bad(
                    check, "cannot examine \(directory): \(String(cString: strerror(errno)))",
                    "name another with --data")
        }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            return .bad(
                check, "\(directory) is a file, not a directory",
                "name the directory that the store keeps its data in, with --data")
        }
        guard access(directory, R_OK | X_OK) == 0, !Self.parts.contains(where: has) else {
            return nil
        }
        return .bad(check, "\(directory) does not hold a store", start)
    }

    /// The parts of a store's directory from its first start on.
    private static let parts = ["keys", "worlds", "control-token"]

    private func has(_ part: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(directory)/\(part)")
    }

    private func dataDirectory() -> Finding {
        let check = "data directory"
        guard access(directory, R_OK | W_OK | X_OK) == 0 else {
            return .bad(
                check, "\(directory) cannot be read and written by this user",
                "run this as the store's user, or give the directory to this one, with chown and "
                    + "chmod 700")
        }
        var info = stat()
        guard stat(directory, &info) == 0, info.st_mode & 0o077 == 0 else {
            return .warning(
                check, "\(directory) is open to other users of this machine",
                "run: chmod 700 \(directory)")
        }
        return .good(check, directory)
    }

    private func lock() -> Finding {
        .good("lock", isInUse ? "held by a running store" : "free: no store runs here")
    }

    private func disk() -> Finding {
        let check = "disk"
        var info = statvfs()
        guard statvfs(directory, &info) == 0 else {
            return .bad(check, "cannot tell its free space", "check it with df")
        }
        let megabytes = (Int64(info.f_bavail) * Int64(info.f_frsize)) >> 20
        let finding = "\(megabytes) megabytes are free"
        let advice = "free some space; the store cannot sell on a full disk"
        if megabytes < Self.diskMegabytesMin { return .bad(check, finding, advice) }
        return megabytes < Self.diskMegabytesLow
            ? .warning(check, finding, advice) : .good(check, finding)
    }

    static let diskMegabytesMin: Int64 = 64
    static let diskMegabytesLow: Int64 = 1_024

    private func clock() -> Finding {
        let check = "clock"
        let now = wall.now()
        let shown = CalendarDate(now).rfc3339
        guard Self.believable.contains(now) else {
            return .bad(check, "it shows \(shown)", "set this machine's clock")
        }
        let changed = files.look(at: files.path(.default))?.changedAt ?? now
        guard changed.milliseconds - now.milliseconds < Self.clockStepMilliseconds else {
            return .bad(
                check,
                "it shows \(shown), before the store's last change at "
                    + CalendarDate(changed).rfc3339, "set this machine's clock")
        }
        return .good(check, shown)
    }

    /// From the year of this program's making to the end of the certificates.
    static let believable =
        Timestamp(seconds: 1_735_689_600)...Timestamp(seconds: 4_102_444_799)
    static let clockStepMilliseconds: Int64 = 300_000

    private func token() -> Finding {
        let check = "control token"
        let path = directory + "/control-token"
        var info = stat()
        guard stat(path, &info) == 0 else {
            return .bad(check, "\(path) is missing", "start the store: it makes a new one")
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            text.trimmingCharacters(in: .whitespacesAndNewlines).utf8.count
                >= ControlToken.bytesMin
        else {
            return .bad(
                check, "\(path) cannot be read or does not hold a token",
                "delete it and start the store again to get a new one")
        }
        guard info.st_mode & 0o077 == 0 else {
            return .bad(
                check, "\(path) can be read by other users of this machine",
                "run: chmod 600 \(path); if someone has read it, delete it and start the store "
                    + "again")
        }
        return .good(check, "present, and readable by its owner alone")
    }

    private func keys() -> Finding {
        let problems = KeyStore.problems(in: directory + "/keys")
        guard !problems.isEmpty else {
            return .good("keys", "complete, readable, and each belongs to its certificate")
        }
        let advice = problems.map { $0.advice ?? adviceOnKeys }
        return .bad(
            "keys", problems.map(\.detail).joined(separator: " "),
            advice.enumerated().filter { !advice[..<$0.offset].contains($0.element) }
                .map(\.element).joined(separator: " "))
    }

    /// New keys are made only where no data are signed by old ones.
    private var adviceOnKeys: String {
        files.exists(files.path(.default))
            ? "Put \(directory)/keys back from a backup; a store never makes new keys over old "
                + "data, because every receipt would become worthless."
            : "Start the store: it makes new keys, because no data are signed by old ones."
    }
}
