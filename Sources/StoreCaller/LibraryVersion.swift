import CCurl

/// The version of libcurl in use, such as `7.88.1`.
package var callerLibraryVersion: String {
    // `libcurl/7.88.1 OpenSSL/3.0.17 …`
    let text = unsafe String(cString: curl_version())
    return String(text.split(separator: " ").first?.split(separator: "/").last ?? "")
}
