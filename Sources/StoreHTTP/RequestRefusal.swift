/// Why a request is refused before its service sees it.
struct RequestRefusal: Error, Hashable {
    let status: Int
    let code: String
    let message: String

    static func badRequest(_ message: String) -> RequestRefusal {
        RequestRefusal(status: 400, code: "badRequest", message: message)
    }

    static let notPlain = badRequest(
        "The request's head has a folded line, a NUL byte, extra spaces, or a line that does not end"
            + " in CR LF.")

    static func bodyTooLarge(max: Int) -> RequestRefusal {
        RequestRefusal(
            status: 413, code: "bodyTooLarge",
            message: "The body is longer than the \(max) bytes that this path accepts.")
    }

    static let bodiesTooLarge = RequestRefusal(
        status: 503, code: "busy",
        message: "Too many large requests are open at once. Retry in a moment.")

    var response: HTTPResponse { .error(status, code: code, message: message) }
}
