/// Why there was no answer.
///
/// Only `badURL`, `unreachable`, `addressRefused`, `notTLS` and `notTrusted` promise that the other
/// side has not acted on the request.
package struct CallerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// Not an HTTP address.
        case badURL
        /// No address for the name, or no connection.
        case unreachable
        /// The name has a private address, which the request refuses, and no other address that can
        /// be connected to.
        case addressRefused
        /// No agreement on TLS with the other side.
        case notTLS
        /// No complete answer in time; the request may have arrived.
        case timedOut
        /// The other side's certificate is not signed by an authority we trust.
        case notTrusted
        case answerTooLarge
        /// The connection was closed before the answer began; the request may have arrived.
        case notAnswered
        /// The connection was closed in the middle of the answer.
        case incompleteAnswer
        /// The connection broke; the request may have arrived.
        case connectionLost
        /// Not HTTP; the request may have arrived.
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
