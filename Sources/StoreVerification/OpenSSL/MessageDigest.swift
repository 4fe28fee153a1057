import COpenSSL

/// A digest algorithm of OpenSSL, looked up once and used from any thread.
@safe package final class MessageDigest: @unchecked Sendable {
    package static let sha256 = MessageDigest("SHA256", byteCount: 32)
    package static let sha384 = MessageDigest("SHA384", byteCount: 48)
    package static let sha1 = MessageDigest("SHA1", byteCount: 20)

    // Never changed and never freed: all instances are constants of the process.
    let pointer: OpaquePointer
    package let byteCount: Int
    /// OpenSSL's name of it.
    package let name: String

    private init(_ name: String, byteCount: Int) {
        guard let found = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("OpenSSL has no \(name); its configuration must provide it")
        }
        unsafe pointer = found
        self.byteCount = byteCount
        self.name = name
    }

    package func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let result = bytes.withContiguousStorageIfAvailable { unsafe hash($0) }
        return result ?? hash(Array(bytes))
    }

    private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            let done = unsafe EVP_Digest(
                bytes.baseAddress, bytes.count, output.baseAddress, nil, pointer, nil)
            precondition(done == 1, "OpenSSL could not hash, which only a lack of memory explains")
            count = byteCount
        }
    }
}

/// SHA-256 of some bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] { MessageDigest.sha256.hash(bytes) }

/// SHA-384 of some bytes.
package func sha384(_ bytes: [UInt8]) -> [UInt8] { MessageDigest.sha384.hash(bytes) }

/// SHA-1 of some bytes: for device hashes and key identifiers, where the formats require it.
package func sha1(_ bytes: [UInt8]) -> [UInt8] { MessageDigest.sha1.hash(bytes) }
