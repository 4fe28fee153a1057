import Glibc
/// Reads and writes small files in one directory so that after a crash each is whole or absent.
package struct KeyDirectory: Sendable {
    /// The largest file that is read; a key's PEM has about 1,700 bytes.
    static let fileBytesMax = 65_536

    let path: String

    package init(path: String) {
        self.path = path
    }

    /// Creates the directory with mode 0700, or sets that mode on it.
    func prepare() throws {
        if unsafe mkdir(path, 0o700) == 0 {
            try sync(parent)
        } else if errno != EEXIST {
            throw failure("make the directory", path)
        }
        guard unsafe chmod(path, 0o700) == 0 else { throw failure("protect the directory", path) }
    }

    /// Whether the name exists; it also counts as existing when the directory cannot be searched.
    package func has(_ name: String) -> Bool {
        var info = stat()
        return unsafe lstat(path(of: name), &info) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Writes a file under a temporary name, syncs it and renames it.
    package func write(_ bytes: [UInt8], to name: String, mode: UInt32) throws {
        let temporary = path(of: name + ".tmp")
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open(temporary, flags, mode)
        guard file >= 0 else { throw failure("write", temporary) }
        do {
            defer { close(file) }
            // The mode given to `open` is masked by the umask and ignored for a left-over file.
            guard fchmod(file, mode) == 0 else { throw failure("protect", temporary) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.write(file, $0.baseAddress, $0.count)
                }
                guard count > 0 || errno == EINTR else { throw failure("write", temporary) }
                rest = rest.dropFirst(max(0, count))
            }
            guard fsync(file) == 0 else { throw failure("sync", temporary) }
        }
        guard unsafe rename(temporary, path(of: name)) == 0 else {
            throw failure("rename", temporary)
        }
    }

    /// Reads a file; a secret one is refused when others may read it.
    package func read(_ name: String, isSecret: Bool) throws -> [UInt8] {
        let place = path(of: name)
        let file = unsafe open(place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", place) }
        defer { close(file) }
        var info = stat()
        guard unsafe fstat(file, &info) == 0 else { throw failure("inspect", place) }
        guard info.st_mode & S_IFMT == S_IFREG, info.st_size <= Self.fileBytesMax else {
            throw SigningFailure(
                .damaged,
                "\(place) is not a file of at most \(Self.fileBytesMax) bytes.",
                advice: "Put this file back from a backup.")
        }
        guard !isSecret || info.st_mode & 0o077 == 0 else {
            throw SigningFailure(
                .file, "\(place) holds a secret that others may read.",
                advice: "Run: chmod 600 \(place)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(
                    file, $0.baseAddress.map { unsafe $0 + filled }, $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("read", place) }
            filled += count
        }
        return bytes
    }

    /// Makes the names written so far durable.
    package func sync() throws { try sync(path) }

    /// Runs work that no other process or thread does in this directory at the same time.
    func locked<Value>(_ work: () throws -> Value) throws -> Value {
        let file = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        // Closing releases the lock.
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("lock", path) }
        }
        return try work()
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    private var parent: String {
        let trimmed = path.reversed().drop { $0 == "/" }
        let above = String(trimmed.drop { $0 != "/" }.reversed())
        return above.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : above
    }

    private func sync(_ directory: String) throws {
        let file = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", directory) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("sync", directory) }
    }

    private func failure(_ work: String, _ place: String) -> SigningFailure {
        let number = errno
        let reason = unsafe String(cString: strerror(number))
        return SigningFailure(
            .file, "Could not \(work) \(place): \(reason).",
            advice: number == EACCES || number == EPERM
                ? "Give it to the user that runs the store, with chown and chmod." : nil)
    }
}
