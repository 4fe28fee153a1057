import Glibc

/// The file behind a name; unique as long as one of the files is open, or pinned.
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

/// Keeps a file's number from being given to another one, without opening it: closing a file that is open
/// would end the locks that SQLite has on it.
final class FilePin: Sendable {
    /// `O_PATH`, which Swift's Glibc leaves out.
    private static let pathOnly: Int32 = 0x20_0000

    private let descriptor: Int32

    init(path: String) {
        descriptor = unsafe open(path, Self.pathOnly | O_CLOEXEC)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
