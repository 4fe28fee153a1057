package import StoreHTTP
import StoreWire

/// An answer that refuses: a status, a name for programs and a sentence for people.
package struct Refusal: Error, Hashable, Sendable {
    package let status: Int
    package let code: String
    package let message: String
    package let retryAfterSeconds: Int64?

    package init(
        _ status: Int, _ code: String, _ message: String, retryAfterSeconds: Int64? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfterSeconds = retryAfterSeconds
    }

    package var response: HTTPResponse {
        let body = (try? WireJSON.encode(ErrorBody(code: code, message: message))) ?? []
        var response = HTTPResponse.json(body, status: status)
        if let retryAfterSeconds { response.headers.add("Retry-After", "\(retryAfterSeconds)") }
        if status == 401 { response.headers.add("WWW-Authenticate", "Bearer") }
        return response
    }

    static let notFound = Refusal(404, "notFound", "There is nothing at this address.")

    static let tokenUnknown = Refusal(
        401, "tokenUnknown",
        "The device token is missing, expired or of another store; register the device again.")

    static let paymentOpen = Refusal(
        503, "paymentOpen",
        "The subscription waits for its payment; ask again in a moment.", retryAfterSeconds: 1)

    static let busy = Refusal(
        503, "busy", "The store is busy; ask again in a moment.", retryAfterSeconds: 1)
}
