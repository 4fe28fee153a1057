import COpenSSL

/// The version of OpenSSL that this program runs with, such as `3.0.17`.
package var signingLibraryVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
}
