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

/// Removes a database and the files beside it.
func removeDatabase(at path: String) {
    for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + ending) }
}
