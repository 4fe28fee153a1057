/// How urgent a line of the log is.
///
/// Source: RFC 5424, 6.2.1, *Severity*: its names, from the fourth on.
package enum LogLevel: String, Sendable {
    /// Something was not done that should have been; somebody has to look.
    case error
    /// Nothing is lost yet, or somebody may be trying something.
    case warning
    /// What the owner did, and the process itself.
    case notice
    /// What customers did, and requests.
    case info
}

/// The name of an event, and how urgent it is.
package protocol LogEvent: RawRepresentable where RawValue == String {
    var level: LogLevel { get }
}
