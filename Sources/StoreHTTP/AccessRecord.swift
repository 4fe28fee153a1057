/// What one finished request leaves for a log: no query, no header, no body.
package struct AccessRecord: Sendable, Hashable {
    package let requestID: String
    package let method: String
    /// As sent, without the query.
    package let path: String
    package let status: Int
    package let durationMicroseconds: Int
    package let responseBytes: Int
    /// False when the client left before the last byte.
    package let isWhole: Bool
}
