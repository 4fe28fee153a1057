import COpenSSL

/// An RSA public key that checks signatures.
///
/// Used from any thread: every check borrows a prepared `EVP_PKEY_CTX` exclusively.
@safe package final class PublicKey: @unchecked Sendable {
    package static let rsaBitsMin: Int32 = 2_048
    package static let rsaBitsMax: Int32 = 8_192

    private let pointer: OpaquePointer
    private let checks: PreparedChecks

    /// Reads a SubjectPublicKeyInfo (DER) to its last byte; nil for other kinds of key and for
    /// sizes out of range.
    package init?(info der: [UInt8], bitsMin: Int32 = rsaBitsMin) {
        guard let pointer = unsafe publicKey(info: der) else { return nil }
        unsafe self.pointer = pointer
        checks = unsafe PreparedChecks(of: pointer, rsaWith: .sha256)
        let bits = unsafe EVP_PKEY_get_bits(pointer)
        guard unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA,
            (bitsMin...Self.rsaBitsMax).contains(bits)
        else { return nil }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Whether a PKCS#1 v1.5 signature matches a digest.
    package func isValid(
        _ signature: [UInt8], overHash hash: [UInt8], by digest: MessageDigest
    ) -> Bool {
        guard digest === MessageDigest.sha256 else {
            return unsafe VerifyContext(pointer, rsaWith: digest)?
                .isValid(signature, overHash: hash) ?? false
        }
        return checks.isValid(signature, overHash: hash)
    }
}

/// Prepared checks of one key's signatures, from any thread.
@safe final class PreparedChecks: @unchecked Sendable {
    private let prepared = PreparedContexts<VerifyContext>()
    // Of an object that outlives this one.
    private let key: OpaquePointer
    private let digest: MessageDigest?

    init(of key: OpaquePointer, rsaWith digest: MessageDigest? = nil) {
        unsafe self.key = key
        self.digest = digest
    }

    func isValid(_ signature: [UInt8], overHash hash: [UInt8]) -> Bool {
        prepared.lend {
            unsafe VerifyContext(key, rsaWith: digest)
        } to: {
            $0.isValid(signature, overHash: hash)
        } ?? false
    }
}

/// A prepared check; one thread at a time.
@safe final class VerifyContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Of an RSA key with PKCS#1 v1.5 and a digest, or of a key on a curve.
    init?(_ key: OpaquePointer, rsaWith digest: MessageDigest?) {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
        unsafe pointer = context
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            digest.map({ digest in
                unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                    && EVP_PKEY_CTX_set_signature_md(context, digest.pointer) == 1
            }) ?? true
        else {
            ERR_clear_error()
            return nil
        }
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    func isValid(_ signature: [UInt8], overHash hash: [UInt8]) -> Bool {
        let result = unsafe EVP_PKEY_verify(
            pointer, signature, signature.count, hash, hash.count)
        // A refusal leaves its reason in this thread's error queue, where nothing would read it.
        if result != 1 { ERR_clear_error() }
        return result == 1
    }
}
