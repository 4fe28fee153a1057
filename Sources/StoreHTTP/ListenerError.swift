/// Why a listener did not start.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case badAddress
        case addressInUse
        case notPermitted
        case other
    }

    package let code: Code
    /// A sentence that says what was wrong, where, and what to do.
    package let detail: String

    package var description: String { "\(code.rawValue): \(detail)" }
}
