import Foundation
import StoreWire

/// `bodega world make|list|delete`
enum WorldCommand {
    static let command = Command(
        help: """
            bodega world: test sessions, each with its own catalogue, accounts, clock and history

              bodega world make [NAME]
              bodega world list
              bodega world delete NAME

            A session is made and deleted in milliseconds. Its addresses stand below /t/NAME, such
            as http://127.0.0.1:8080/t/NAME/sandbox. Other commands take it as --world NAME.

            Options:
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega world make checkout-test
              bodega catalog import P.storekit --bundle-id com.example.app --world checkout-test
            """,
        options: ["data", "url"], flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "make": try make(arguments)
        case "list": try list(arguments)
        case "delete": try delete(arguments)
        default: throw UsageError("say make, list or delete; bodega world --help shows how")
        }
    }

    private static func make(_ arguments: Arguments) throws {
        guard arguments.positional.count <= 2 else { throw UsageError("one NAME at most") }
        let name = arguments.positional.dropFirst().first
        let answer = try ControlClient(arguments).sendToRoot(
            "POST", "/worlds", MakeWorldBody(name: name))
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let world = try WireJSON.decode(WorldBody.self, from: answer)
        Terminal.print("made \(world.name) at \(world.path)")
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).sendToRoot("GET", "/worlds")
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(WorldsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["WORLD", "PATH", "ID"],
                body.worlds.map { [$0.name, $0.path.isEmpty ? "/" : $0.path, $0.id] }))
    }

    private static func delete(_ arguments: Arguments) throws {
        let name = try arguments.words("delete", "name")[1]
        _ = try ControlClient(arguments).sendToRoot(
            "DELETE", "/worlds/\(ControlClient.escaped(name))")
        Terminal.print(arguments.has("json") ? #"{"deleted":true}"# : "deleted \(name)")
    }
}
