import COpenSSL

/// A certificate as OpenSSL holds it, for building and checking chains.
///
/// Used from any thread: it is never changed, and OpenSSL locks its own caches.
@safe package final class X509Certificate: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Nil when OpenSSL cannot read the bytes to their end.
    package init?(_ der: [UInt8]) {
        let parsed = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let found = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
            guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                unsafe X509_free(found)
                return nil
            }
            return unsafe found
        }
        guard let parsed = unsafe parsed else {
            ERR_clear_error()
            return nil
        }
        unsafe pointer = parsed
    }

    deinit { unsafe X509_free(pointer) }

    /// Why this certificate does not chain over an intermediate to a root; nil when it does.
    ///
    /// The caller checks dates: OpenSSL considers the last second of a validity expired.
    /// Level 2 refuses RSA below 2048 bits and SHA-1 below the root; level 1 RSA below 1024.
    package func chainProblem(
        intermediate: X509Certificate, root: X509Certificate, level: Int32 = 2
    ) -> String? {
        guard let store = unsafe X509_STORE_new(), let context = unsafe X509_STORE_CTX_new(),
            let untrusted = unsafe shim_x509_stack_new()
        else { preconditionFailure("OpenSSL has no memory left to check a chain") }
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe shim_x509_stack_free(untrusted)
            unsafe X509_STORE_free(store)
            ERR_clear_error()
        }
        guard unsafe X509_STORE_add_cert(store, root.pointer) == 1,
            unsafe shim_x509_stack_push(untrusted, intermediate.pointer) > 0,
            unsafe X509_STORE_CTX_init(context, store, pointer, untrusted) == 1,
            let rules = unsafe X509_STORE_CTX_get0_param(context)
        else { preconditionFailure("OpenSSL has no memory left to check a chain") }
        unsafe X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_ANY)
        unsafe X509_VERIFY_PARAM_set_depth(rules, 1)
        unsafe X509_VERIFY_PARAM_set_auth_level(rules, level)
        unsafe X509_VERIFY_PARAM_set_flags(
            rules, UInt(X509_V_FLAG_X509_STRICT | X509_V_FLAG_NO_CHECK_TIME))
        guard unsafe X509_verify_cert(context) != 1 else { return nil }
        let code = Int(unsafe X509_STORE_CTX_get_error(context))
        return unsafe String(cString: X509_verify_cert_error_string(code))
    }
}
