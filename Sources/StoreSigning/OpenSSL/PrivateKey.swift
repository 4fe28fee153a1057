import COpenSSL
import StoreVerification

/// An RSA private key.
///
/// Used from any thread: OpenSSL's keys may be read concurrently, and every signature gets its own
/// `EVP_MD_CTX`.
@safe final class PrivateKey: @unchecked Sendable {
    static let rsaBits: Int32 = 2_048
    /// The size for version 2 of transaction receipts, whose signatures have 128 bytes.
    static let shortRSABits: Int32 = 1_024

    private let pointer: OpaquePointer

    private init(taking pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// A new RSA key; one of 2048 bits takes 0.1 to 0.3 s.
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
    func pem() throws -> [UInt8] { try unsafe StoreSigning.pem(ofPrivateKey: pointer) }

    /// Reads the output of `pem`.
    init(pem: [UInt8]) throws {
        unsafe pointer = try privateKey(pem: pem)
        guard unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA else {
            throw SigningFailure(.damaged, "The key is not an RSA key.")
        }
    }

    /// The public half as a SubjectPublicKeyInfo (DER).
    func publicKeyInfo() throws -> [UInt8] { try unsafe StoreSigning.publicKeyInfo(of: pointer) }

    /// The PKCS#1 v1.5 signature over the digest of some bytes.
    func signature(
        over bytes: [UInt8], by digest: MessageDigest = .sha256
    ) throws -> [UInt8] {
        try unsafe StoreSigning.signature(over: bytes, by: digest, with: pointer)
    }
}
