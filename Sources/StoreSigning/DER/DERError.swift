/// What is wrong in bytes that should be DER, and at which byte.
package struct DERError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problem: String
    /// The offset of the first byte that does not fit, from the start of the whole input.
    package let byte: Int

    package init(_ problem: String, byte: Int) {
        self.problem = problem
        self.byte = byte
    }

    package var description: String { "\(problem) (byte \(byte))" }
}
