/// The parts of a path that a route's pattern names, decoded.
package struct PathParameters: Sendable, Hashable {
    private var values: [String: String]

    package init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// The value of `:name`; nil when the pattern has no such part.
    package subscript(_ name: String) -> String? { values[name] }
}
