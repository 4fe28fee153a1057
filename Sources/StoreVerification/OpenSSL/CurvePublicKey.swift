import COpenSSL

/// A public key on the curve P-256.
@safe package final class CurvePublicKey: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let checks: PreparedChecks

    /// Reads a SubjectPublicKeyInfo (DER) to its last byte; nil for any other kind of key.
    package init?(info der: [UInt8]) {
        guard let parsed = unsafe publicKey(info: der) else { return nil }
        unsafe pointer = parsed
        checks = unsafe PreparedChecks(of: parsed)
        guard unsafe isSound(parsed) else {
            ERR_clear_error()
            return nil
        }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Whether a signature matches the SHA-256 of some bytes.
    package func isValid(_ signature: CurveSignature, over bytes: ArraySlice<UInt8>) -> Bool {
        checks.isValid(signature.der, overHash: MessageDigest.sha256.hash(bytes))
    }
}

/// Whether a public key is on P-256 and consistent.
private func isSound(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 64)
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
        unsafe EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1,
        Curve.p256.isNamed(name), let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
    else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    // The cofactor of the curve is 1: every point on it has its order, and the quick check, which
    // does not multiply by it, checks as much.
    return unsafe EVP_PKEY_public_check_quick(context) == 1
}
