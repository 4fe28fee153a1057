import Glibc

/// A file open for reading, so that an answer can send its bytes even if it is unlinked.
@safe package final class OpenFile: Sendable {
    let descriptor: Int32
    /// Its size in bytes when it was opened.
    package let byteCount: Int64

    /// Nil when there is no regular file with that name, or it cannot be read.
    package init?(path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        var info = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &info) == 0,
            info.st_mode & S_IFMT == S_IFREG
        else {
            byteCount = 0
            return nil
        }
        byteCount = Int64(info.st_size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}

/// A range of a file as the body of an answer: read from disk while being sent, so that it takes no
/// memory.
package struct FileSlice: Sendable, Hashable {
    package let file: OpenFile
    package let range: Range<Int64>

    package static func == (left: FileSlice, right: FileSlice) -> Bool {
        left.file === right.file && left.range == right.range
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(file))
        hasher.combine(range)
    }
}
