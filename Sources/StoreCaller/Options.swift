import CCurl

/// Sets options of an easy handle in order and keeps the first error.
@safe
struct Options {
    private let easy: UnsafeMutableRawPointer
    private(set) var result = CURLE_OK
    /// A change to a file of authorities takes at most this long to be noticed.
    private static let authoritiesKeptSeconds = 60

    init(easy: UnsafeMutableRawPointer) {
        unsafe self.easy = unsafe easy
    }

    mutating func set(_ option: CURLoption, _ value: Int) {
        note(unsafe curl_shim_set_long(easy, option, value))
    }

    mutating func set(_ option: CURLoption, offset: Int) {
        note(unsafe curl_shim_set_offset(easy, option, curl_off_t(offset)))
    }

    mutating func set(_ option: CURLoption, _ value: String?) {
        note(unsafe curl_shim_set_string(easy, option, value))
    }

    /// Sets a copy of the bytes.
    mutating func set(_ option: CURLoption, bytes: [UInt8]) {
        var bytes = bytes
        let copied = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe curl_shim_set_bytes(easy, option, buffer.baseAddress, buffer.count)
        }
        note(copied)
    }

    @unsafe
    mutating func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) {
        note(unsafe curl_shim_set_pointer(easy, option, pointer))
    }

    mutating func allowHTTPOnly() {
        note(unsafe curl_shim_allow_http_only(easy))
        note(unsafe curl_shim_leave_lookups(easy))
    }

    /// Trusts certificates in PEM, else those in a file, else those of the system.
    mutating func trust(_ authority: String?, or file: String?) {
        if let authority {
            set(CURLOPT_CAINFO, nil)
            set(CURLOPT_CAPATH, nil)
            set(CURLOPT_CAINFO_BLOB, bytes: Array(authority.utf8))
        } else if let file {
            set(CURLOPT_CAINFO, file)
            set(CURLOPT_CAPATH, nil)
        } else if curl_shim_has_authority_file() {
            // The system's folder has what its file has. With the file alone, libcurl keeps what it
            // read; with both, it reads all of it again for every connection, for 20 ms.
            set(CURLOPT_CAPATH, nil)
        }
        note(unsafe curl_shim_keep_authorities(easy, Self.authoritiesKeptSeconds))
    }

    mutating func setCallbacks() {
        note(unsafe curl_shim_set_writer(easy, CURLOPT_WRITEFUNCTION, receiveBody))
        note(unsafe curl_shim_set_writer(easy, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
        note(unsafe curl_shim_set_opener(easy, openSocket))
    }

    /// A method without a body is sent without `Content-Length`, except POST, PUT and PATCH.
    mutating func setMethod(_ method: String, body: [UInt8]?) {
        if method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        } else if body != nil || ["POST", "PUT", "PATCH"].contains(method) {
            setBody(body ?? [])
        }
        set(CURLOPT_CUSTOMREQUEST, method)
    }

    private mutating func setBody(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE_LARGE, offset: body.count)
        // An empty array may have no address, which libcurl would take as a request for a read
        // callback.
        var bytes = body.isEmpty ? [0] : body
        let copied = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe curl_shim_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, buffer.baseAddress)
        }
        note(copied)
    }

    private mutating func note(_ next: CURLcode) {
        if result == CURLE_OK { result = next }
    }
}
