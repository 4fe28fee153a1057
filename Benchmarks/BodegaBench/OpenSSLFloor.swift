import COpenSSL

/// A key of OpenSSL on P-256, and the cost of checking a signature with it alone.
final class CurveFloor {
    private let key: OpaquePointer
    private let verifying: OpaquePointer
    private let hash = [UInt8](repeating: 7, count: 32)
    private var signature = [UInt8](repeating: 0, count: 80)

    init() throws {
        var made: OpaquePointer?
        guard let maker = EVP_PKEY_CTX_new_from_name(nil, "EC", nil),
            EVP_PKEY_keygen_init(maker) == 1,
            EVP_PKEY_CTX_set_group_name(maker, "P-256") == 1,
            EVP_PKEY_generate(maker, &made) == 1, let made,
            let signing = EVP_PKEY_CTX_new(made, nil), EVP_PKEY_sign_init(signing) == 1,
            let verifying = EVP_PKEY_CTX_new(made, nil), EVP_PKEY_verify_init(verifying) == 1
        else { throw Failure("OpenSSL could not create a key on P-256") }
        EVP_PKEY_CTX_free(maker)
        key = made
        self.verifying = verifying
        var count = signature.count
        guard EVP_PKEY_sign(signing, &signature, &count, hash, hash.count) == 1 else {
            throw Failure("OpenSSL could not sign")
        }
        EVP_PKEY_CTX_free(signing)
        signature.removeSubrange(count...)
    }

    deinit {
        EVP_PKEY_CTX_free(verifying)
        EVP_PKEY_free(key)
    }

    func verify() throws {
        guard
            EVP_PKEY_verify(verifying, signature, signature.count, hash, hash.count) == 1
        else { throw Failure("OpenSSL refuses its own signature") }
    }
}

/// A chain of certificates (DER), the leaf first, and the cost of reading them and checking the
/// signatures on them with OpenSSL alone.
struct ChainFloor {
    let certificates: [[UInt8]]

    func verify() throws {
        let read = certificates.map { der in
            der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                var next = buffer.baseAddress
                return d2i_X509(nil, &next, buffer.count)
            }
        }
        defer { for one in read { X509_free(one) } }
        for (below, above) in zip(read, read.dropFirst()) {
            guard let below, let above, X509_verify(below, X509_get0_pubkey(above)) == 1 else {
                throw Failure("OpenSSL refuses a certificate")
            }
        }
    }
}

/// An RSA-2048 key of OpenSSL with contexts that are created once: the cost of a signature alone.
final class OpenSSLFloor {
    private let key: OpaquePointer
    private let signing: OpaquePointer
    private let verifying: OpaquePointer
    private let hash = [UInt8](repeating: 7, count: 32)
    private var signature = [UInt8](repeating: 0, count: 256)

    init() throws {
        var made: OpaquePointer?
        guard let maker = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil),
            EVP_PKEY_keygen_init(maker) == 1,
            EVP_PKEY_CTX_set_rsa_keygen_bits(maker, 2_048) == 1,
            EVP_PKEY_generate(maker, &made) == 1, let made,
            let signing = EVP_PKEY_CTX_new(made, nil),
            let verifying = EVP_PKEY_CTX_new(made, nil),
            EVP_PKEY_sign_init(signing) == 1, EVP_PKEY_verify_init(verifying) == 1
        else { throw Failure("OpenSSL could not create an RSA key") }
        EVP_PKEY_CTX_free(maker)
        for context in [signing, verifying] {
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING)
            EVP_PKEY_CTX_set_signature_md(context, EVP_sha256())
        }
        key = made
        self.signing = signing
        self.verifying = verifying
        try sign()
    }

    deinit {
        EVP_PKEY_CTX_free(signing)
        EVP_PKEY_CTX_free(verifying)
        EVP_PKEY_free(key)
    }

    func sign() throws {
        var count = signature.count
        guard EVP_PKEY_sign(signing, &signature, &count, hash, hash.count) == 1, count == 256
        else { throw Failure("OpenSSL could not sign") }
    }

    func verify() throws {
        guard EVP_PKEY_verify(verifying, signature, 256, hash, hash.count) == 1 else {
            throw Failure("OpenSSL refuses its own signature")
        }
    }
}
