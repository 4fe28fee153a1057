/// An answer, whatever its status.
package struct CallerResponse: Sendable {
    package let status: Int
    /// Names in lowercase; the last of several fields with the same name.
    package let headers: [String: String]
    package let body: [UInt8]
    /// Whether the body was longer than the request's limit and ends there.
    package let isCut: Bool

    package init(
        status: Int, headers: [String: String], body: [UInt8], isCut: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isCut = isCut
    }
}
