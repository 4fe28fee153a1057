import COpenSSL

/// A digest algorithm of OpenSSL, looked up once and used from any thread.
@safe final class MessageDigest: @unchecked Sendable {
    static let sha256 = MessageDigest("SHA256", byteCount: 32)
    static let sha384 = MessageDigest("SHA384", byteCount: 48)
    static let sha1 = MessageDigest("SHA1", byteCount: 20)

    // Never changed and never freed: all instances are constants of the process.
    let pointer: OpaquePointer
    let byteCount: Int

    private init(_ name: String, byteCount: Int) {
        guard let found = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("OpenSSL has no \(name); its configuration must provide it")
        }
        unsafe pointer = found
        self.byteCount = byteCount
    }

    func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
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
