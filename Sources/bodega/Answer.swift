import StoreWire

/// An answer of the store on its way to standard output.
enum Answer {
    /// Prints it as it came with `--json`, else what `text` makes of it.
    static func show<Body: Decodable>(
        _ bytes: [UInt8], as type: Body.Type, _ arguments: Arguments,
        _ text: (Body) throws -> String
    ) throws {
        if arguments.has("json") { return Terminal.print(String(decoding: bytes, as: UTF8.self)) }
        Terminal.print(try text(try WireJSON.decode(type, from: bytes)))
    }
}
