import Glibc

/// Holds a directory for one process; the kernel lets go of it when the process ends, however.
@safe package final class DirectoryLock: Sendable {
    package struct Held: Error, Sendable {
        /// The process that holds it, when it said so.
        package let processID: Int32?
    }

    /// The directory cannot be made or written; a sentence that says why and what to do.
    package struct Unusable: Error, Sendable, CustomStringConvertible {
        package let description: String

        init(_ place: String, _ error: Int32) {
            description =
                switch error {
                case ENOTDIR:
                    "\(place) is a file and no directory; name another directory with --data"
                case EACCES, EPERM:
                    "no permission to write \(place); give this user the right to, or name another "
                        + "directory with --data"
                case EROFS:
                    "\(place) is on a file system that is read-only; name another directory with --data"
                case ENOSPC: "no room for \(place); make room on its disk"
                default:
                    "\(place): \(unsafe String(cString: strerror(error))); name another directory "
                        + "with --data"
                }
        }
    }

    private let descriptor: Int32

    /// Makes the directory when there is none and takes its lock; throws `Held` at once when
    /// another process has it, and `Unusable`.
    package init(directory: String) throws {
        try Self.make(directory)
        descriptor = try Self.hold(directory)
    }

    /// Makes a directory and those above it, mode 0700, where there are none.
    package static func make(_ directory: String) throws(Unusable) {
        var place = directory.hasPrefix("/") ? "" : "."
        for part in directory.split(separator: "/") {
            let above = place
            place += "/\(part)"
            guard unsafe mkdir(place, 0o700) != 0, errno != EEXIST else { continue }
            throw Unusable(errno == ENOTDIR ? above : place, errno)
        }
    }

    // Apart from init: a class that throws once it is complete runs its deinit, too, and a
    // descriptor that is closed twice is somebody else's the second time.
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
