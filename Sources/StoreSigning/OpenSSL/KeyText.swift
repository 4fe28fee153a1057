import COpenSSL
import StoreVerification

// Conversions of private and public keys of any kind to bytes, for the classes that own them.

/// A private key in PKCS#8 PEM.
func pem(ofPrivateKey key: OpaquePointer) throws -> [UInt8] {
    guard let memory = unsafe BIO_new(BIO_s_secmem()) else {
        throw opensslFailure("write a key")
    }
    defer { unsafe BIO_free_all(memory) }
    guard unsafe PEM_write_bio_PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1 else {
        throw opensslFailure("write a key")
    }
    var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(memory))
    let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
    guard count == bytes.count else { throw opensslFailure("write a key") }
    return bytes
}

/// Reads a private key of any kind from PEM; the caller owns it.
func privateKey(pem: [UInt8]) throws -> OpaquePointer {
    guard let memory = unsafe BIO_new_mem_buf(pem, Int32(pem.count)) else {
        throw opensslFailure("read a key")
    }
    defer { unsafe BIO_free_all(memory) }
    guard let key = unsafe PEM_read_bio_PrivateKey(memory, nil, refusePassphrase, nil) else {
        throw opensslFailure("read a key")
    }
    return unsafe key
}

/// The public half of a key as a SubjectPublicKeyInfo (DER).
func publicKeyInfo(of key: OpaquePointer) throws -> [UInt8] {
    let count = unsafe i2d_PUBKEY(key, nil)
    guard count > 0 else { throw opensslFailure("write a public key") }
    return try unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
        var next = buffer.baseAddress
        guard unsafe i2d_PUBKEY(key, &next) == count else {
            throw opensslFailure("write a public key")
        }
        filled = Int(count)
    }
}

/// The signature of a private key over the digest of some bytes: PKCS#1 v1.5 for RSA, DER for
/// curves.
func signature(
    over bytes: [UInt8], by digest: MessageDigest, with key: OpaquePointer
) throws -> [UInt8] {
    guard let context = unsafe EVP_MD_CTX_new() else { throw opensslFailure("sign") }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestSignInit_ex(context, nil, digest.name, nil, nil, key, nil) == 1
    else {
        throw opensslFailure("sign")
    }
    var count = Int(unsafe EVP_PKEY_get_size(key))
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
        throw opensslFailure("sign")
    }
    return Array(signature.prefix(count))
}

/// Keys here have no passphrase; without this OpenSSL would prompt for one on the terminal.
private nonisolated func refusePassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32,
    _ user: UnsafeMutableRawPointer?
) -> Int32 { -1 }
