import CCurl

/// The header lines of one request, in the form that libcurl takes.
@safe
final class HeaderList {
    private var list: UnsafeMutablePointer<curl_slist>?

    init(_ request: CallerRequest) throws(CallerError) {
        unsafe list = nil
        // libcurl would add these by itself: a wait for "100 Continue" and a form's type.
        var lines = ["Expect:"]
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        for header in request.headers {
            // "Name;" tells libcurl to send a header without a value.
            lines.append(
                header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else {
                throw CallerError(code: .other, detail: "No memory for a request's header.")
            }
            unsafe list = longer
        }
    }

    deinit { unsafe curl_slist_free_all(list) }

    /// Lends the lines to an easy handle, which must not outlive this value's use.
    func lend(to easy: UnsafeMutableRawPointer) -> CURLcode {
        unsafe curl_shim_set_list(easy, CURLOPT_HTTPHEADER, list)
    }
}
