/// Why something signed, such as a receipt, is not accepted.
package enum VerificationRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not of the expected form at all: gives the problem and its place.
    case malformed(String)
    /// No root of this store vouches for it, or it was altered.
    case notAuthentic(String)

    /// The sentence alone, which logs and people read.
    package var description: String {
        switch self {
        case .malformed(let sentence), .notAuthentic(let sentence): sentence
        }
    }
}
