/// A request's method and header fields, checked for ambiguities.
///
/// libmicrohttpd 0.9.75 silently accepts all of these, even in strict mode.
struct RequestHead {
    let method: String
    let headers: HTTPHeaders
    /// Nil for a chunked body; 0 without a body.
    let contentLength: Int?

    private static let onceOnly = [
        "Authorization", "Content-Length", "Content-Type", "Host", "Transfer-Encoding",
    ]

    init(method: String, version: String, headers: HTTPHeaders) throws(RequestRefusal) {
        guard isToken(method) else {
            throw .badRequest("The method has a forbidden byte.")
        }
        for field in headers.fields {
            guard isToken(field.name), field.value.utf8.allSatisfy(isFieldByte) else {
                throw .badRequest("A header field's name or value has a forbidden byte.")
            }
        }
        for name in Self.onceOnly {
            guard headers.count(of: name) <= 1 else {
                throw .badRequest("The header field \(name) occurs more than once.")
            }
        }
        guard version == "HTTP/1.0" || headers["Host"] != nil else {
            throw .badRequest("HTTP/1.1 requires the header field Host.")
        }
        self.method = method
        self.headers = headers
        contentLength = try Self.contentLength(version: version, headers: headers)
    }

    /// RFC 9112, section 6.3.
    private static func contentLength(
        version: String, headers: HTTPHeaders
    ) throws(RequestRefusal) -> Int? {
        let length = headers["Content-Length"]
        guard let encoding = headers["Transfer-Encoding"] else {
            guard let length else { return 0 }
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(length)
            else { throw .badRequest("Content-Length is not a number of bytes.") }
            return number
        }
        guard length == nil else {
            throw .badRequest("Content-Length and Transfer-Encoding must not be combined.")
        }
        guard version == "HTTP/1.1", isSameName(encoding, "chunked") else {
            throw .badRequest("The only supported Transfer-Encoding is chunked, in HTTP/1.1.")
        }
        return nil
    }
}

/// RFC 9110, section 5.6.2.
private func isToken(_ text: String) -> Bool {
    !text.isEmpty
        && text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
                UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
                UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                true
            default: false
            }
        }
}

/// RFC 9110, section 5.5.
private func isFieldByte(_ byte: UInt8) -> Bool {
    byte == 0x09 || (byte >= 0x20 && byte != 0x7f)
}
