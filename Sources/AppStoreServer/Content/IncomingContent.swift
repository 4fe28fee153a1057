import Glibc
import StoreDatabase
import StoreDigest
import StoreModel
import StoreRules

/// The first bytes of a file of content while it arrives; used by one thread.
final class IncomingContent {
    private static let readBytes = 1 << 20

    let path: String
    private let descriptor: Int32
    private(set) var byteCount: Int64

    init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        var info = stat()
        guard descriptor >= 0, fstat(descriptor, &info) == 0 else {
            let failure = Self.failure("open", path)
            if descriptor >= 0 { close(descriptor) }
            throw failure
        }
        self.path = path
        self.descriptor = descriptor
        byteCount = Int64(info.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Drops the bytes, which belong to another file.
    func empty() throws {
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure("empty", path) }
        byteCount = 0
    }

    /// On a full disk, the bytes that fitted stay and count.
    func append(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(byteCount))
            }
            guard count > 0 else { throw Self.failure("write", path) }
            rest = rest.dropFirst(count)
            byteCount += Int64(count)
        }
    }

    func sync() throws {
        guard fdatasync(descriptor) == 0 else { throw Self.failure("sync", path) }
    }

    /// Reads the whole file; throws a refusal when it is code, or does not match its digest.
    func check(_ file: ContentFile) throws {
        let digest = RunningDigest()
        var buffer = [UInt8](repeating: 0, count: Self.readBytes)
        var position: Int64 = 0
        while position < byteCount {
            let count = pread(descriptor, &buffer, buffer.count, off_t(position))
            guard count > 0 else { throw Self.failure("read", path) }
            if position == 0, let kind = CodeKind(head: buffer.prefix(count)) {
                throw ContentRefusal.code(file.path, kind)
            }
            digest.add(buffer[..<count])
            position += Int64(count)
        }
        guard hexadecimal(digest.finish()) == file.digest else {
            throw ContentRefusal.otherBytes(file.path)
        }
    }

    private static func failure(_ work: String, _ path: String) -> DatabaseError {
        let code: DatabaseError.Code = errno == ENOSPC || errno == EFBIG ? .diskFull : .inputOutput
        return DatabaseError(
            code: code, detail: "cannot \(work) \(path): \(String(cString: strerror(errno)))")
    }
}
