import Foundation
import StoreModel
import StoreWire

extension AccountCommand {
    /// The values that an account's devices share in an app.
    static func keyValues(_ arguments: Arguments) throws {
        let path =
            "\(try arguments.app())/key-values?account=\(ServerClient.escaped(arguments["NAME"]))"
            + "&environment=\(arguments.environment.rawValue)"
        try arguments.send("GET", path) { (body: AccountKeyValuesBody) in
            let table = Terminal.table(
                ["KEY", "KIND", "VALUE"],
                body.entries.map { entry in
                    [Self.plain(entry.key)] + (entry.value.map { Self.words($0) } ?? ["", ""])
                })
            return "\(table)\n\(body.entries.count) keys, \(body.byteCount) bytes, "
                + "revision \(body.revision)"
        }
    }

    /// The kind of a value and its beginning.
    private static func words(_ value: PropertyListValue) -> [String] {
        switch value {
        case .boolean(let flag): ["boolean", "\(flag)"]
        case .integer(let number): ["integer", "\(number)"]
        case .large(let number): ["integer", "\(number)"]
        case .real(let number): ["real", "\(number.value)"]
        case .string(let text): ["string", plain(text)]
        case .date(let seconds):
            ["date", "\(Date(timeIntervalSinceReferenceDate: seconds.value))"]
        case .data(let bytes): ["data", "\(bytes.count) bytes"]
        case .array(let elements): ["array", "\(elements.count) elements"]
        case .dictionary(let members): ["dictionary", "\(members.count) members"]
        }
    }

    /// An app's text in one short line, which a terminal cannot mistake for a command.
    private static func plain(_ text: String) -> String {
        let shownMax = 60
        let shown = text.unicodeScalars.prefix(shownMax).map {
            $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0)
        }.joined()
        return text.unicodeScalars.count > shownMax ? shown + "..." : shown
    }
}
