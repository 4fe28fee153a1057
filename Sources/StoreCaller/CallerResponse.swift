/// An answer, whatever its status.
package struct CallerResponse: Sendable {
    package let status: Int
    /// Names in small letters; the last of equal names.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
