/// Why key values changed without the app's doing, in Apple's numbers.
enum KeyValueReason: Int, Sendable {
    /// Another device or process changed them.
    case server = 0
    /// The first values of an account came.
    case initialSync = 1
    /// There is no room for what was set.
    case quotaViolation = 2
    /// Somebody else is signed in.
    case account = 3
}
