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

func inputOutput(_ work: String, _ path: String) -> DatabaseError {
    let code: DatabaseError.Code = errno == ENOSPC ? .diskFull : .inputOutput
    return DatabaseError(
        code: code,
        detail: "cannot \(work) \(path): \(unsafe String(cString: strerror(errno)))")
}
