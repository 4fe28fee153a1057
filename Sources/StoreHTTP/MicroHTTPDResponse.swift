import CMicroHTTPD
import Glibc

/// libmicrohttpd's form of an answer; nil when a status or a header cannot be sent.
///
/// libmicrohttpd adds `Content-Length` and `Date`, even for HEAD.
func makeResponse(_ response: HTTPResponse, requestID: String, closes: Bool) -> OpaquePointer? {
    guard (200...599).contains(response.status) else { return nil }
    guard let made = unsafe makeBody(response) else { return nil }
    var isGood = unsafe MHD_add_response_header(made, "Request-Id", requestID) == .YES
    for field in response.headers.fields where !isListenersOwn(field.name) {
        isGood =
            unsafe MHD_add_response_header(made, field.name, field.value) == .YES && isGood
    }
    if closes {
        isGood = unsafe MHD_add_response_header(made, "Connection", "close") == .YES && isGood
    }
    guard isGood else {
        unsafe MHD_destroy_response(made)
        return nil
    }
    return unsafe made
}

private func makeBody(_ response: HTTPResponse) -> OpaquePointer? {
    if let slice = response.slice, !slice.range.isEmpty { return unsafe makeBody(slice) }
    return unsafe response.body.withUnsafeBytes { bytes in
        unsafe MHD_create_response_from_buffer(
            bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
            .RESPMEM_MUST_COPY)
    }
}

/// libmicrohttpd sends the file with sendfile, and closes the descriptor at the end.
private func makeBody(_ slice: FileSlice) -> OpaquePointer? {
    let descriptor = fcntl(slice.file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    let made = unsafe MHD_create_response_from_fd_at_offset64(
        UInt64(slice.range.count), descriptor, UInt64(slice.range.lowerBound))
    if unsafe made == nil { close(descriptor) }
    return unsafe made
}

private func isListenersOwn(_ name: String) -> Bool {
    ["Connection", "Content-Length", "Request-Id", "Transfer-Encoding"].contains {
        isSameName($0, name)
    }
}
