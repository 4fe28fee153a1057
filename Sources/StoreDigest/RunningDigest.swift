import COpenSSL

/// SHA-256 of bytes that arrive in pieces, computed by OpenSSL's libcrypto.
@safe package final class RunningDigest {
    private let context: OpaquePointer

    package init() {
        guard let made = unsafe EVP_MD_CTX_new(),
            unsafe EVP_DigestInit_ex2(made, EVP_sha256(), nil) == 1
        else { preconditionFailure("OpenSSL could not begin to hash, for lack of memory") }
        unsafe context = made
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package func add(_ bytes: ArraySlice<UInt8>) {
        let done = unsafe bytes.withUnsafeBytes {
            unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
        }
        precondition(done == 1, "OpenSSL could not hash")
    }

    /// The digest of everything added; must be the last call.
    package func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            let done = unsafe EVP_DigestFinal_ex(context, output.baseAddress, nil)
            precondition(done == 1, "OpenSSL could not hash")
            count = 32
        }
    }
}
