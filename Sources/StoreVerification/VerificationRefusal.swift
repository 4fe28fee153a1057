/// Why something signed, such as a receipt, is not accepted.
package enum VerificationRefusal: Error, Equatable, Sendable {
    /// Not of the expected form at all: gives the problem and its place.
    case malformed(String)
    /// No root of this store vouches for it, or it was altered.
    case notAuthentic(String)
}
