import StoreModel
import StoreWire

/// `bodega console` and `bodega backend console`
enum ConsoleCommand {
    static let command = command(
        .store, Option.store,
        [
            "bodega console", "bodega console --read-only",
            "bodega console --json | jq -r .url",
        ])

    /// For a kind of server, with the options that find it.
    static func command(
        _ kind: ServerClient.Kind, _ options: [Option], _ examples: [String] = []
    ) -> Command {
        Command(
            "console", "an address that opens the \(kind.name)'s console in a browser",
            [Option("read-only", "for showing around: it can change nothing")] + options,
            details: """
                The address has a code that is good once, within a minute. It stands behind the #, which
                browsers send to nobody. The page keeps its session in the tab: it ends after twelve
                hours, after half an hour without use, by signing out, or when the \(kind.name) stops.
                Without a code the page asks for the \(kind.token).
                """,
            examples: examples
        ) { arguments in
            let server = try ServerClient(kind, arguments)
            let body = MakeConsoleCodeBody(isReadOnly: arguments.has("read-only"))
            let made = try WireJSON.decode(
                ConsoleCodeBody.self,
                from: server.send("POST", "/console/v1/codes", WireJSON.encode(body)))
            let address = ConsoleAddressBody(
                url: server.base + made.path, expiresAt: made.expiresAt)
            try arguments.show(WireJSON.encode(address)) { (body: ConsoleAddressBody) in
                body.url
            }
        }
    }
}

/// What `bodega console --json` prints.
private struct ConsoleAddressBody: Codable {
    let url: String
    /// By the server's clock.
    let expiresAt: Timestamp
}
