import COpenSSL

/// Reads a public key of any kind from a SubjectPublicKeyInfo (DER), to its last byte; nil when
/// OpenSSL cannot. The caller owns it.
func publicKey(info der: [UInt8]) -> OpaquePointer? {
    let key = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
        var next = buffer.baseAddress
        guard let found = unsafe d2i_PUBKEY(nil, &next, buffer.count) else { return nil }
        guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
            unsafe EVP_PKEY_free(found)
            return nil
        }
        return unsafe found
    }
    if unsafe key == nil { ERR_clear_error() }
    return unsafe key
}
