/// An answer, whatever its status.
package struct CallerResponse: Sendable {
    package let status: Int
    /// Names in lowercase; the last of several fields with the same name.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
