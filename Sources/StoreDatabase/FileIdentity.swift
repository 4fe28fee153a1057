import Glibc

/// The file behind a name; unique as long as one of the files is open.
struct FileIdentity: Hashable {
    private let device: UInt
    private let inode: UInt

    /// Nil when there is no file with that name.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
