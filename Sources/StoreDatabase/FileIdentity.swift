import Glibc

/// Which file a name stands for; no other file has the same while one of them is open.
struct FileIdentity: Hashable {
    private let device: UInt
    private let inode: UInt

    /// Nil when there is no file of that name.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
