import Glibc

/// Holds a directory for one process; the kernel releases it whenever and however the process ends.
@safe package final class DirectoryLock: Sendable {
    package struct Held: Error, Sendable {
        /// The process that holds it, if known.
        package let processID: Int32?
    }

    /// The directory cannot be created or written; a sentence gives the reason and advice.
    package struct Unusable: Error, Sendable, CustomStringConvertible {
        package let description: String

        init(_ place: String, _ error: Int32) {
            description =
                switch error {
                case ENOTDIR:
                    "\(place) is a file, not a directory; name another directory with --data"
                case EACCES, EPERM:
                    "no permission to write \(place); grant it to this user, or name another "
                        + "directory with --data"
                case EROFS:
                    "\(place) is on a read-only file system; name another directory with --data"
                case ENOSPC: "no space for \(place); free some on its disk"
                default:
                    "\(place): \(unsafe String(cString: strerror(error))); name another directory "
                        + "with --data"
                }
        }
    }

    private let descriptor: Int32

    /// Creates the directory if necessary and takes its lock; throws `Held` at once when another
    /// process has it, and `Unusable`.
    package init(directory: String) throws {
        try Self.make(directory)
        descriptor = try Self.hold(directory)
    }

    /// Creates a directory and its parents with mode 0700, where missing.
    package static func make(_ directory: String) throws(Unusable) {
        guard !directory.isEmpty else { throw Unusable("a directory without a name", ENOENT) }
        var place = directory.hasPrefix("/") ? "" : "."
        for part in directory.split(separator: "/") {
            let above = place
            place += "/\(part)"
            guard unsafe mkdir(place, 0o700) != 0, errno != EEXIST else { continue }
            throw Unusable(errno == ENOTDIR ? above : place, errno)
        }
    }

    // Separate from init: a class that throws once it is complete also runs its deinit, and a
    // descriptor closed twice may belong to something else the second time.
    private static func hold(_ directory: String) throws -> Int32 {
        let path = directory + "/lock"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Unusable(errno == ENOTDIR ? directory : path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = readHolder(descriptor)
            Glibc.close(descriptor)
            throw Held(processID: holder)
        }
        let text = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        _ = unsafe pwrite(descriptor, text, text.count, 0)
        return descriptor
    }

    deinit {
        // Closing alone leaves the lock to a child process that has not reached its exec yet.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }

    private static func readHolder(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return Int32(text.prefix { $0.isNumber })
    }
}
