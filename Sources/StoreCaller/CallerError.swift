/// Why there was no answer.
///
/// Only `badURL`, `unreachable` and `notTrusted` promise that the other side has not acted on the
/// request.
package struct CallerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// Not an HTTP address.
        case badURL
        /// No connection.
        case unreachable
        /// No complete answer in time; the request may have arrived.
        case timedOut
        /// The other side's certificate is not signed by an authority we trust.
        case notTrusted
        case answerTooLarge
        /// Not HTTP, or incomplete; the request may have arrived.
        case badAnswer
        case cancelled
        case other
    }

    package let code: Code
    /// A sentence that says what was wrong, where, and what to do.
    package let detail: String

    package init(code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
