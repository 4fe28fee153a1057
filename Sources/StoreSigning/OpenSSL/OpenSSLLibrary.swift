import COpenSSL
/// The failure that OpenSSL reports on this thread; clears its error queue.
func opensslFailure(_ work: String) -> SigningFailure {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return SigningFailure(.openssl, "OpenSSL could not \(work).") }
    var text = [CChar](repeating: 0, count: 256)
    unsafe text.withUnsafeMutableBufferPointer {
        unsafe ERR_error_string_n(code, $0.baseAddress, $0.count)
    }
    let reason = String(
        decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return SigningFailure(.openssl, "OpenSSL could not \(work): \(reason).")
}

/// The version of OpenSSL in use, such as `3.0.17`.
package var signingLibraryVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
}
