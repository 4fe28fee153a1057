/// An answer.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Sent instead of `body` when set.
    package var slice: FileSlice?
    /// Whether nothing is sent, and the connection is closed.
    package private(set) var isDropped = false

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The number of bytes sent to the client.
    package var byteCount: Int { slice.map { $0.range.count } ?? body.count }

    /// No answer: the connection is closed instead.
    package static let dropped: HTTPResponse = {
        var response = HTTPResponse(status: 0)
        response.isDropped = true
        return response
    }()

    /// A JSON body, with exactly `Content-Type: application/json`.
    package static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: HTTPHeaders([("Content-Type", "application/json")]),
            body: body)
    }
}
