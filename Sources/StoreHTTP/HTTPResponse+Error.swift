extension HTTPResponse {
    /// `{"error":{"code":…,"message":…}}`: a code for programs, a sentence for people.
    package static func error(_ status: Int, code: String, message: String) -> HTTPResponse {
        let text =
            "{\"error\":{\"code\":\(quotedJSON(code)),\"message\":\(quotedJSON(message))}}"
        return .json(Array(text.utf8), status: status)
    }

    /// No route has that path.
    package static var notFound: HTTPResponse {
        .error(404, code: "notFound", message: "Nothing is at this path. Check its spelling.")
    }

    /// The path is known, but not the method; `Allow` lists the methods.
    package static func methodNotAllowed(_ allowed: [String]) -> HTTPResponse {
        let list = allowed.joined(separator: ", ")
        var response = error(
            405, code: "methodNotAllowed", message: "This path takes \(list) only.")
        response.headers.add("Allow", list)
        return response
    }

    /// There was no answer in time, or the listener is being stopped.
    static let unanswered = error(
        503, code: "notAnswered",
        message: "The answer took too long or the server is stopping. Retry; the request may have"
            + " been carried out.")

    /// Clients have not read the answers made for them.
    static let answersTooLarge = error(
        503, code: "busy",
        message: "Too many large answers wait for their clients. Retry in a moment; the request may"
            + " have been carried out.")

    /// A new request on a kept-alive connection of a listener that is being stopped.
    static let stopping = error(
        503, code: "stopping", message: "The server is stopping. Retry later.")

    /// A service returned a status or a header that cannot be sent.
    static let unsendable = error(
        500, code: "badAnswer",
        message: "The server produced an answer with a header that cannot be sent.")
}

/// A JSON string of `text`, with its quotes.
private func quotedJSON(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}
