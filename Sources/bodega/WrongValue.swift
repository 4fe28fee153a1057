/// How a store or a backend refuses a value that is wrong in any state of a world.
enum WrongValue {
    /// The codes of such refusals; wrong file contents are not among them, nor anything that
    /// depends on the world.
    static let codes: Set<String> = [
        "badField", "badName", "badPrice", "badQuery", "clockOutOfRange", "dateOutOfRange",
        "noteMissing", "reasonMissing", "reasonNotWanted", "storefrontUnknown",
    ]

    /// A server's sentence without its full stop, so that it can be continued.
    static func sentence(_ message: String) -> String {
        message.hasSuffix(".") ? String(message.dropLast()) : message
    }
}
