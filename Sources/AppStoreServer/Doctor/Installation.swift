import Foundation
import Glibc
package import StoreModel

/// A server's data directory and its machine: the checks that a store and a backend share.
package struct Installation: Sendable {
    let directory: String
    /// `store` or `backend`, for sentences.
    let server: String
    /// The server's work that ends with its disk space, such as `sell`.
    let work: String
    let wall: WallClock
    /// Whether a server holds the directory now.
    package let isInUse: Bool

    package init(directory: String, server: String, work: String, wall: WallClock) {
        self.directory = directory
        self.server = server
        self.work = work
        self.wall = wall
        isInUse = LockLook.isHeld(directory + "/lock")
    }

    /// The single finding when there is nothing to examine; nil when some of `parts` exists.
    package func absence(of parts: [String], advice: String) -> Finding? {
        let check = "data directory"
        var info = stat()
        guard stat(directory, &info) == 0 else {
            return errno == ENOENT
                ? .bad(check, "\(directory) does not exist", advice)
                : .bad(
                    check, "cannot examine \(directory): \(String(cString: strerror(errno)))",
                    "name another with --data")
        }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            return .bad(
                check, "\(directory) is a file, not a directory",
                "name the directory that the \(server) keeps its data in, with --data")
        }
        let isEmpty = !parts.contains {
            FileManager.default.fileExists(atPath: "\(directory)/\($0)")
        }
        guard access(directory, R_OK | X_OK) == 0, isEmpty else { return nil }
        return .bad(check, "\(directory) does not hold a \(server)", advice)
    }

    package func dataDirectory() -> Finding {
        let check = "data directory"
        guard access(directory, R_OK | W_OK | X_OK) == 0 else {
            return .bad(
                check, "\(directory) cannot be read and written by this user",
                "run this as the \(server)'s user, or give the directory to this one, with chown "
                    + "and chmod 700")
        }
        var info = stat()
        guard stat(directory, &info) == 0, info.st_mode & 0o077 == 0 else {
            return .warning(
                check, "\(directory) is open to other users of this machine",
                "run: chmod 700 \(directory)")
        }
        return .good(check, directory)
    }

    package func lock() -> Finding {
        .good("lock", isInUse ? "held by a running \(server)" : "free: no \(server) runs here")
    }

    package func disk() -> Finding {
        let check = "disk"
        var info = statvfs()
        guard statvfs(directory, &info) == 0 else {
            return .bad(check, "cannot tell its free space", "check it with df")
        }
        let megabytes = (Int64(info.f_bavail) * Int64(info.f_frsize)) >> 20
        let finding = "\(megabytes) megabytes are free"
        let advice = "free some space; the \(server) cannot \(work) on a full disk"
        if megabytes < Self.diskMegabytesMin { return .bad(check, finding, advice) }
        return megabytes < Self.diskMegabytesLow
            ? .warning(check, finding, advice) : .good(check, finding)
    }

    static let diskMegabytesMin: Int64 = 64
    static let diskMegabytesLow: Int64 = 1_024

    /// `changed` is the last time that the server changed its data, if known.
    package func clock(changed: Timestamp?) -> Finding {
        let check = "clock"
        let now = wall.now()
        let shown = CalendarDate(now).rfc3339
        guard Self.believable.contains(now) else {
            return .bad(check, "it shows \(shown)", "set this machine's clock")
        }
        let changed = changed ?? now
        guard changed.milliseconds - now.milliseconds < Self.clockStepMilliseconds else {
            return .bad(
                check,
                "it shows \(shown), before the \(server)'s last change at "
                    + CalendarDate(changed).rfc3339, "set this machine's clock")
        }
        return .good(check, shown)
    }

    /// From the year of this program's making to the end of the certificates.
    static let believable =
        Timestamp(seconds: 1_735_689_600)...Timestamp(seconds: 4_102_444_799)
    static let clockStepMilliseconds: Int64 = 300_000

    /// How many files the running server may have open; nil when none runs, or nobody knows.
    func openFilesMax() -> Int? {
        guard isInUse, let process = LockLook.holder(directory + "/lock") else { return nil }
        let limits = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let line = limits?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        // "Max open files            1024                 4096                 files"
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
    }

    /// `name` is the check's, such as `control token`; the file has that name with a hyphen.
    package func token(_ name: String, bytesMin: Int) -> Finding {
        let path = directory + "/" + name.replacing(" ", with: "-")
        var info = stat()
        guard stat(path, &info) == 0 else {
            return .bad(name, "\(path) is missing", "start the \(server): it makes a new one")
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            text.trimmingCharacters(in: .whitespacesAndNewlines).utf8.count >= bytesMin
        else {
            return .bad(
                name, "\(path) cannot be read or does not hold a token",
                "delete it and start the \(server) again to get a new one")
        }
        guard info.st_mode & 0o077 == 0 else {
            return .bad(
                name, "\(path) can be read by other users of this machine",
                "run: chmod 600 \(path); if someone has read it, delete it and start the "
                    + "\(server) again")
        }
        return .good(name, "present, and readable by its owner alone")
    }

    /// A database beside which others may read; nil when its owner alone can, or it is missing.
    package func openToOthers(_ path: String) -> Finding? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & 0o077 != 0 else { return nil }
        return .warning(
            "database", "\(path) can be read by other users of this machine",
            "run: chmod 600 \(path); the next start of the \(server) does so too")
    }
}
