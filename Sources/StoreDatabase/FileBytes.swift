import Glibc

/// All bytes of a file.
func readFile(_ path: String) throws -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw inputOutput("open", path) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw inputOutput("read", path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
        let more = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
        }
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { throw inputOutput("read", path) }
        count += more
    }
    return bytes
}

/// Creates a file that only its owner can read; throws where one already exists. A file that could
/// not be written completely is removed.
func writeNewFile(_ path: String, _ bytes: [UInt8]) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw inputOutput("make", path) }
    defer { close(file) }
    var count = 0
    while count < bytes.count {
        let more = unsafe bytes.withUnsafeBytes { buffer in
            unsafe write(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
        }
        if more < 0, errno == EINTR { continue }
        guard more > 0 else {
            let failure = inputOutput("write", path)
            unsafe unlink(path)
            throw failure
        }
        count += more
    }
}

/// Makes a database's file readable to its owner alone, and with it those that SQLite makes beside
/// it, which get the same mode: it holds password hashes and receipts. A missing one is created.
///
/// An existing file is never opened here: closing it would release SQLite's locks on it.
func makePrivate(_ path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file < 0 else {
        close(file)
        return
    }
    guard errno == EEXIST else { throw inputOutput("make", path) }
    for ending in ["", "-wal", "-shm"] {
        var info = stat()
        guard unsafe stat(path + ending, &info) == 0, info.st_mode & 0o077 != 0 else { continue }
        guard unsafe chmod(path + ending, 0o600) == 0 else {
            throw inputOutput("protect", path + ending)
        }
    }
}

/// Removes a database and the files beside it.
func removeDatabase(at path: String) {
    for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + ending) }
}
