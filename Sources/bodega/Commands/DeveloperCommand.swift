import Foundation
import StoreWire

/// `bodega developer add|list|assign`
enum DeveloperCommand {
    static let command = Command(
        help: """
            bodega developer: developer accounts, which own apps and have shared secrets

              bodega developer add NAME
              bodega developer list
              bodega developer assign NAME --bundle-id ID      the app is this account's now

            A world begins with one, named default, which owns every app that is not assigned to
            another. `bodega shop apps` shows which owns what.

            Options:
              --bundle-id ID   the app
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega developer add "Rocket Games"
              bodega developer assign "Rocket Games" --bundle-id com.example.rocketcar
            """,
        options: ControlClient.options.union(["bundle-id"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "add": try add(arguments)
        case "list": try list(arguments)
        case "assign": try assign(arguments)
        default: throw arguments.notOne(of: "add", "list", "assign")
        }
    }

    private static func add(_ arguments: Arguments) throws {
        let name = try arguments.words("add", "name")[1]
        let answer = try ControlClient(arguments).send(
            "POST", "/developers", DeveloperBody(name: name))
        try Answer.show(answer, as: DeveloperBody.self, arguments) { "added \($0.name)" }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).send("GET", "/developers")
        try Answer.show(answer, as: DevelopersBody.self, arguments) { body in
            body.developers.map(\.name).joined(separator: "\n")
        }
    }

    private static func assign(_ arguments: Arguments) throws {
        let name = try arguments.words("assign", "name")[1]
        let path = try ProductCommand.app(arguments) + "/developer"
        let answer = try ControlClient(arguments).send(
            "PUT", path, AppDeveloperBody(developer: name))
        try Answer.show(answer, as: AppBody.self, arguments) {
            "\($0.bundleId) belongs to \($0.developer)"
        }
    }
}
