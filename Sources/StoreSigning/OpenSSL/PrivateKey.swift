import COpenSSL

/// An RSA private key.
///
/// Used from any thread: OpenSSL's keys may be read by many at once, and every signature gets an
/// `EVP_MD_CTX` of its own.
@safe final class PrivateKey: @unchecked Sendable {
    static let rsaBits: Int32 = 2_048
    /// What version 2 of transaction receipts is made for: its signatures have 128 bytes.
    static let shortRSABits: Int32 = 1_024

    private let pointer: OpaquePointer

    private init(taking pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// A new RSA key; one of 2048 bits takes about 0.1 to 0.3 s.
    static func makeRSA(bits: Int32 = rsaBits) throws -> PrivateKey {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
            throw opensslFailure("prepare making an RSA key")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw opensslFailure("make an RSA key") }
        return unsafe PrivateKey(taking: key)
    }

    /// The key in PKCS#8 PEM.
    func pem() throws -> [UInt8] {
        guard let memory = unsafe BIO_new(BIO_s_secmem()) else {
            throw opensslFailure("write a key")
        }
        defer { unsafe BIO_free_all(memory) }
        guard unsafe PEM_write_bio_PrivateKey(memory, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw opensslFailure("write a key")
        }
        var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(memory))
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        guard count == bytes.count else { throw opensslFailure("write a key") }
        return bytes
    }

    /// Reads what `pem` wrote.
    init(pem: [UInt8]) throws {
        guard let memory = unsafe BIO_new_mem_buf(pem, Int32(pem.count)) else {
            throw opensslFailure("read a key")
        }
        defer { unsafe BIO_free_all(memory) }
        guard let key = unsafe PEM_read_bio_PrivateKey(memory, nil, refusePassphrase, nil) else {
            throw opensslFailure("read a key")
        }
        unsafe pointer = key
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
            throw SigningFailure(.damaged, "The key is not an RSA key.")
        }
    }

    /// The public half as a SubjectPublicKeyInfo (DER).
    func publicKeyInfo() throws -> [UInt8] {
        let count = unsafe i2d_PUBKEY(pointer, nil)
        guard count > 0 else { throw opensslFailure("write a public key") }
        return try unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            var next = buffer.baseAddress
            guard unsafe i2d_PUBKEY(pointer, &next) == count else {
                throw opensslFailure("write a public key")
            }
            filled = Int(count)
        }
    }

    /// The PKCS#1 v1.5 signature over the digest of some bytes.
    func signature(
        over bytes: [UInt8], by digest: MessageDigest = .sha256
    ) throws -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw opensslFailure("sign") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit(context, nil, digest.pointer, nil, pointer) == 1 else {
            throw opensslFailure("sign")
        }
        var count = Int(unsafe EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw opensslFailure("sign")
        }
        return Array(signature.prefix(count))
    }
}

/// Keys here have no passphrase; without this OpenSSL would ask on the terminal for one.
private nonisolated func refusePassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32,
    _ user: UnsafeMutableRawPointer?
) -> Int32 { -1 }
