/// Why the backend did not start, in a sentence that says what to do.
package struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case badConfiguration
        case dataDirectory
        case dataDirectoryInUse
        case productList
        case database
        case listener
    }

    package let code: Code
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }
}
