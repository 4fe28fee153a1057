import AppStoreServer
import StoreModel
import StoreWire

// What a store holds about an account.
extension AccountCommand {
    static let export = Command(
        "export NAME [FILE]", "everything the store holds about the account, as JSON",
        [.environment], run: export)

    private static func export(_ arguments: Arguments) throws {
        let name = ServerClient.escaped(arguments["NAME"])
        let bytes = try ControlClient(arguments).send(
            "GET",
            "/accounts/export?account=\(name)&environment=\(arguments.environment.rawValue)",
            bytes: nil, answerBytesMax: AccountExport.bytesMax)
        guard let path = arguments.word("FILE") else { return Terminal.print(file: bytes) }
        let file = OutputFile(path)
        try file.write(bytes, isPrivate: true)
        guard file.isFile else { return }
        try arguments.show(bytes) { (parts: [String: [JSONPart]]) in
            let count = parts.values.reduce(0) { $0 + $1.count }
            return "\(path): \(count) records about \(arguments["NAME"])"
        }
    }

    /// One record, whatever it holds.
    private struct JSONPart: Codable {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
    }
}
