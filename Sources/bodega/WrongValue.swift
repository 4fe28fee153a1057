/// What a store or a backend says of a value that no state of a world could make right.
enum WrongValue {
    /// The names of such refusals; what a file holds is not among them, nor what depends on the
    /// world.
    static let codes: Set<String> = [
        "badField", "badName", "badPrice", "badQuery", "clockOutOfRange", "dateOutOfRange",
        "noteMissing", "reasonMissing", "reasonNotWanted", "storefrontUnknown",
    ]

    /// A server's sentence without its full stop, to go on from.
    static func sentence(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }
}
