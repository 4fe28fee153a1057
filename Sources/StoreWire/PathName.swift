/// Names that stand in a path.
package enum PathName {
    /// Whether clients would resolve the name away, as they do with `.` and `..`, even when they are
    /// escaped.
    package static func isOnlyDots(_ name: String) -> Bool {
        name.allSatisfy { $0 == "." }
    }
}
