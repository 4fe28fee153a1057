/// The version a catalogue file says it has.
package struct CatalogueFileVersion: Hashable, Sendable, CustomStringConvertible {
    /// The majors that are read: 1.0 to 5.0 and what lies between.
    package static let majorsRead: ClosedRange<Int64> = 1...5

    package let major: Int64
    package let minor: Int64

    package init(major: Int64, minor: Int64) {
        self.major = major
        self.minor = minor
    }

    package var description: String { "\(major).\(minor)" }
}
