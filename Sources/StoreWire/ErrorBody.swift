/// The body of refusals by `/device`, `/control` and the backend: a name for programs, a sentence
/// for people.
package struct ErrorBody: Codable, Hashable, Sendable {
    package struct Detail: Codable, Hashable, Sendable {
        package let code: String
        package let message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    package let error: Detail

    package init(code: String, message: String) {
        error = Detail(code: code, message: message)
    }
}
