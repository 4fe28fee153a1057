/// Why keys, certificates or signatures could not be made or read.
package struct SigningFailure: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Keys exist where there should be none.
        case alreadyThere
        /// Keys or certificates are missing.
        case incomplete
        /// A file differs from what was written.
        case damaged
        /// The file system refused.
        case file
        /// OpenSSL refused.
        case openssl
        /// The chains of test sessions do not exist yet.
        case noTestChains
        /// A value cannot be put into a certificate or receipt.
        case invalidValue
    }

    package let code: Code
    package let detail: String
    /// Advice in a sentence; nil when it depends on more than is known here.
    package let advice: String?

    package init(_ code: Code, _ detail: String, advice: String? = nil) {
        self.code = code
        self.detail = detail
        self.advice = advice
    }

    package var description: String { advice.map { "\(detail) \($0)" } ?? detail }
}

extension SigningFailure: Equatable {
    /// Equal by code, since details name files and bytes.
    package static func == (left: SigningFailure, right: SigningFailure) -> Bool {
        left.code == right.code
    }
}
