extension HTTPResponse {
    /// A file, or the part of it that the request asks for: 200 or 206; nil when the part begins
    /// after the end, which is answered 416 with `unsatisfiedRange` (RFC 9110, section 14).
    ///
    /// `digest` identifies these bytes; in quotation marks it is the entity tag.
    package static func file(
        _ file: OpenFile, digest: String, for request: HTTPRequest
    ) -> HTTPResponse? {
        let tag = "\"\(digest)\""
        let size = file.byteCount
        let asked = ByteRange(
            method: request.method, request.headers, byteCount: size, entityTag: tag)
        var response = HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes"),
                ("ETag", tag),
            ]))
        switch asked {
        case .whole: response.slice = FileSlice(file: file, range: 0..<size)
        case .part(let range):
            response.status = 206
            response.slice = FileSlice(file: file, range: range)
            response.headers.add(
                "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
        case .unsatisfiable: return nil
        }
        return response
    }

    /// The `Content-Range` of a 416.
    package static func unsatisfiedRange(of file: OpenFile) -> String {
        "bytes */\(file.byteCount)"
    }
}
