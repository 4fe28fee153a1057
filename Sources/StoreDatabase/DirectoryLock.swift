import Glibc

/// Holds a directory for one process; the kernel lets go of it when the process ends, however.
@safe package final class DirectoryLock: Sendable {
    package struct Held: Error, Sendable {
        /// The process that holds it, when it said so.
        package let processID: Int32?
    }

    private let descriptor: Int32

    /// Takes the lock or throws `Held` at once; `DatabaseError` when the file cannot be made.
    package init(directory: String) throws {
        descriptor = try Self.hold(directory + "/lock")
    }

    // Apart from init: a class that throws once it is complete runs its deinit, too, and a
    // descriptor that is closed twice is somebody else's the second time.
    private static func hold(_ path: String) throws -> Int32 {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError(
                code: .inputOutput,
                detail: "cannot make \(path): \(unsafe String(cString: strerror(errno)))")
        }
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
