import Glibc
import StoreDigest

/// One file of a package as far as it has come: its first bytes.
struct DownloadedFile {
    private static let readBytes = 1 << 20

    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Adds what is there to a digest, and says how much that is. A file that is longer than it
    /// may become is of no use and emptied.
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
