import Glibc

/// Makes a file's contents, or a folder's list of names, survive a power failure.
package func syncFile(_ path: String) throws {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw inputOutput("open", path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw inputOutput("sync", path) }
}

/// Renames a complete, synced file atomically, replacing any file with that name.
package func moveIntoPlace(_ path: String, to place: String) throws {
    guard unsafe rename(path, place) == 0 else { throw inputOutput("rename", path) }
}

/// Replaces a closed database with a complete one: a crash leaves one or the other.
///
/// The closed one's log must be empty: with it the new file would be misread.
package func replaceDatabase(at place: String, with path: String) throws {
    for ending in ["-wal", "-shm"] {
        guard unsafe unlink(place + ending) == 0 || errno == ENOENT else {
            throw inputOutput("remove", place + ending)
        }
    }
    try moveIntoPlace(path, to: place)
}

/// Less free space than this counts as none: a purchase takes a few pages.
private let freeBytesMin: UInt64 = 64 << 10

/// The failure of a disk without room for a commit; nil when there is room, or nobody knows.
func diskFull(_ path: String) -> DatabaseError? {
    guard let free = freeBytes(path), free < freeBytesMin else { return nil }
    return DatabaseError(code: .diskFull, detail: "\(free) bytes are free for \(path)")
}

/// The room left on the disk of a file; nil when nobody knows.
package func freeBytes(_ path: String) -> UInt64? {
    var info = statvfs()
    guard unsafe statvfs(path, &info) == 0, info.f_blocks > 0 else { return nil }
    // The last blocks of some file systems are kept for root.
    let blocks = geteuid() == 0 ? info.f_bfree : info.f_bavail
    let (free, isTooMany) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(info.f_frsize))
    return isTooMany ? nil : free
}

/// The size of a file; nil when there is none.
func fileSize(_ path: String) -> Int64? {
    var info = stat()
    return unsafe stat(path, &info) == 0 ? Int64(info.st_size) : nil
}

func inputOutput(_ work: String, _ path: String) -> DatabaseError {
    let code: DatabaseError.Code = errno == ENOSPC ? .diskFull : .inputOutput
    return DatabaseError(
        code: code,
        detail: "cannot \(work) \(path): \(unsafe String(cString: strerror(errno)))")
}
