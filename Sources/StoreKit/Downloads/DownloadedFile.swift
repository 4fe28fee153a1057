import Glibc
import StoreDigest

/// The first bytes of a package's file, as far as they have arrived.
struct DownloadedFile {
    private static let readBytes = 1 << 20

    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Adds the existing bytes to a digest and gives their number. A file that exceeds its maximum
    /// size is useless and emptied.
    func addBytes(
        to digest: RunningDigest, bytesMax: Int64,
        orStop check: () throws(DownloadTrouble) -> Void
    ) throws(DownloadTrouble) -> Int64 {
        if try descriptor.status().byteCount > bytesMax { try empty() }
        var buffer = [UInt8](repeating: 0, count: Self.readBytes)
        var position: Int64 = 0
        while true {
            try check()
            let count = pread(descriptor.number, &buffer, buffer.count, off_t(position))
            if count == 0 { return position }
            if count > 0 {
                digest.add(buffer[..<count])
                position += Int64(count)
            } else if errno != EINTR {
                throw .disk("read", descriptor.path)
            }
        }
    }

    func append(_ bytes: [UInt8], at offset: Int64) throws(DownloadTrouble) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let position = off_t(offset) + off_t(rest.startIndex)
            let count = rest.withUnsafeBytes {
                pwrite(descriptor.number, $0.baseAddress, $0.count, position)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .disk("write", descriptor.path)
            }
        }
    }

    func empty() throws(DownloadTrouble) {
        guard ftruncate(descriptor.number, 0) == 0 else { throw .disk("empty", descriptor.path) }
    }

    func sync() throws(DownloadTrouble) { try descriptor.sync() }
}
