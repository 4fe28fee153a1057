/// What is wrong with an old property list, and at which byte.
package struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
    package let problem: String
    package let byte: Int

    init(_ problem: String, byte: Int) {
        self.problem = problem
        self.byte = byte
    }

    package var description: String { "\(problem), at byte \(byte)" }
}
