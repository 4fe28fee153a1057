package import StoreHTTP
import StoreWire

/// Why a request is refused: an HTTP status, a name for programs and a sentence for people.
///
/// A refused request has changed nothing, unless its sentence says otherwise.
package struct Refusal: Error, Hashable, Sendable {
    package let status: Int
    package let code: String
    package let message: String
    /// When the request may be repeated, for `Retry-After`.
    package let retryAfterSeconds: Int64?

    package init(
        _ status: Int, _ code: String, _ message: String, retryAfterSeconds: Int64? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfterSeconds = retryAfterSeconds
    }

    package static func bodyTooLarge(_ bytesMax: Int) -> Refusal {
        Refusal(413, "bodyTooLarge", "The body is longer than the limit of \(bytesMax) bytes.")
    }

    package static let notDeclaredAsJSON = Refusal(
        415, "notJSON", "Send the body as JSON, with Content-Type: application/json.")

    /// The answer, with an `ErrorBody`.
    package var response: HTTPResponse {
        response((try? WireJSON.encode(ErrorBody(code: code, message: message))) ?? [])
    }

    /// The answer with a body of the server's own.
    package func response(_ body: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse.json(body, status: status)
        if let retryAfterSeconds { response.headers.add("Retry-After", "\(retryAfterSeconds)") }
        if status == 401 { response.headers.add("WWW-Authenticate", "Bearer") }
        return response
    }
}
