import COpenSSL
package import StoreVerification
import Synchronization

/// A private key on a curve: P-256 for ES256 signatures, P-384 for authorities.
///
/// Used from any thread, as `PrivateKey` is.
@safe package final class CurvePrivateKey: @unchecked Sendable {
    /// The longest key that is read, in bytes; one on P-256 has 138 in DER and 241 in PEM.
    package static let bytesMax = 4_096

    private let pointer: OpaquePointer
    private let signatures = PreparedContexts<SignContext>()
    /// The public half, once it was asked for: OpenSSL takes a quarter of a millisecond to write it.
    private let publicHalf = Mutex<[UInt8]?>(nil)

    private init(taking pointer: OpaquePointer, on curve: Curve) throws {
        unsafe self.pointer = pointer
        guard unsafe isSound(pointer, on: curve) else {
            ERR_clear_error()
            throw SigningFailure(
                .invalidValue,
                "The key is not a private key on the curve \(curve.title).")
        }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// A new key, owned by the caller alone.
    package static func make(on curve: Curve = .p256) throws -> CurvePrivateKey {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
            throw opensslFailure("prepare making a key")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context, curve.name) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw opensslFailure("make a key") }
        return try unsafe CurvePrivateKey(taking: key, on: curve)
    }

    /// Reads PKCS#8 in PEM, the form in which developers get their keys.
    package convenience init(pem: [UInt8], on curve: Curve = .p256) throws {
        guard pem.count <= Self.bytesMax else { throw Self.tooLong }
        try unsafe self.init(taking: try privateKey(pem: pem), on: curve)
    }

    /// Reads PKCS#8 of a key on P-256 in DER, to its last byte.
    package convenience init(pkcs8 der: [UInt8]) throws {
        guard der.count <= Self.bytesMax else { throw Self.tooLong }
        let info = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let found = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, buffer.count) else {
                return nil
            }
            guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                unsafe PKCS8_PRIV_KEY_INFO_free(found)
                return nil
            }
            return unsafe found
        }
        guard let info = unsafe info else { throw opensslFailure("read a key") }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard let key = unsafe EVP_PKCS82PKEY(info) else { throw opensslFailure("read a key") }
        try unsafe self.init(taking: key, on: .p256)
    }

    /// The key on P-256 that follows from a secret and a label, the same each time.
    static func derived(from secret: [UInt8], _ label: String) throws -> CurvePrivateKey {
        // Once in 2^32 times, 32 bytes are no key.
        for attempt in 0..<8 {
            let number = sha256(Array("\(label)\u{0}\(attempt)\u{0}".utf8) + secret)
            // The public half is left out: OpenSSL computes it.
            let sealed = DERWriter.sequence(
                DERWriter.integer(1), DERWriter.octetString(number))
            let kind = DERWriter.sequence(
                DERWriter.objectIdentifier(.ecPublicKey), DERWriter.objectIdentifier(.p256))
            let der = DERWriter.sequence(
                DERWriter.integer(0), kind, DERWriter.octetString(sealed))
            if let key = try? CurvePrivateKey(pkcs8: der) { return key }
        }
        throw SigningFailure(.openssl, "OpenSSL could not derive a key.")
    }

    /// Reads PKCS#8 in base64 without line breaks, as in Xcode's catalogue files.
    package convenience init(pkcs8InBase64 text: String) throws {
        guard text.utf8.count <= 2 * Self.bytesMax, let der = StrictBase64.bytes(text) else {
            throw SigningFailure(.invalidValue, "The key is not in base64, or is too long.")
        }
        try self.init(pkcs8: der)
    }

    /// The key in PKCS#8 PEM.
    package func pem() throws -> [UInt8] { try unsafe StoreSigning.pem(ofPrivateKey: pointer) }

    /// The public half as a SubjectPublicKeyInfo (DER); of 91 bytes on P-256.
    package func publicKeyInfo() throws -> [UInt8] {
        try publicHalf.withLock { known in
            if let known { return known }
            let written = try unsafe StoreSigning.publicKeyInfo(of: pointer)
            known = written
            return written
        }
    }

    /// The ES256 signature of a key on P-256; different each time.
    func signature(over bytes: [UInt8]) throws -> CurveSignature {
        let hash = MessageDigest.sha256.hash(bytes)
        let der = signatures.lend {
            unsafe SignContext(pointer)
        } to: {
            $0.signature(overHash: hash)
        }
        guard let der = der.flatMap(\.self) else { throw opensslFailure("sign") }
        return try CurveSignature(der: der)
    }

    /// The signature (DER) over the digest of some bytes; different each time.
    func derSignature(over bytes: [UInt8], by digest: MessageDigest) throws -> [UInt8] {
        try unsafe StoreSigning.signature(over: bytes, by: digest, with: pointer)
    }

    private static let tooLong = SigningFailure(
        .invalidValue, "A key has at most \(bytesMax) bytes.")
}

/// A prepared signature of a key on a curve; one thread at a time.
@safe private final class SignContext: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let byteCountMax: Int

    init?(_ key: OpaquePointer) {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
        unsafe pointer = context
        byteCountMax = Int(unsafe EVP_PKEY_get_size(key))
        guard unsafe EVP_PKEY_sign_init(context) == 1 else { return nil }
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    /// In DER; nil when OpenSSL fails.
    func signature(overHash hash: [UInt8]) -> [UInt8]? {
        var count = byteCountMax
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_PKEY_sign(pointer, &signature, &count, hash, hash.count) == 1 else {
            return nil
        }
        return Array(signature.prefix(count))
    }
}

/// Whether a private key is on a curve and consistent.
private func isSound(_ key: OpaquePointer, on curve: Curve) -> Bool {
    var name = [CChar](repeating: 0, count: 64)
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
        unsafe EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1, curve.isNamed(name),
        let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
    else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    return unsafe EVP_PKEY_check(context) == 1
}
