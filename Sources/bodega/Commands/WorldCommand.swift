import Foundation
import StoreModel
import StoreWire

/// `bodega world …`
enum WorldCommand {
    static let command = Command(
        help: """
            bodega world: test sessions and the default world, each with its own catalogue,
            accounts, clock and history

              bodega world make [NAME]
              bodega world seed FILE [WORLD] [--replace]
              bodega world list
              bodega world show WORLD
              bodega world snapshot WORLD [SNAPSHOT]
              bodega world snapshots WORLD
              bodega world delete-snapshot WORLD SNAPSHOT
              bodega world restore WORLD SNAPSHOT
              bodega world reset WORLD [--keep-catalog]
              bodega world delete NAME

            A session is made and deleted in milliseconds. Its addresses stand below /t/NAME, such
            as http://127.0.0.1:8080/t/NAME/sandbox. Other commands take it as --world NAME. The
            world that stands at the root is named default.

            seed makes a world from one JSON file; the same file gives the same transaction
            numbers. Without WORLD it takes the file's name. --replace puts it in the place of a
            world that is there. docs/worlds.md tells what may stand in the file.
            snapshot copies a world while it goes on. restore and reset put another world in its
            place, at once and whole: every device must register again, and receipts from before
            are good no longer.

            Options:
              --replace        seed: take the place of the world of that name
              --keep-catalog   reset: keep what is for sale
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega world make checkout-test
              bodega catalog import P.storekit --bundle-id com.example.app --world checkout-test
              bodega world seed shop.json shop-test
              bodega world snapshot default before-sale
              bodega world restore default before-sale
            """,
        options: ["data", "url"], flags: ["json", "replace", "keep-catalog"]
    ) { arguments in
        switch arguments.positional.first {
        case "make": try make(arguments)
        case "seed": try seed(arguments)
        case "list": try list(arguments)
        case "show": try show(arguments)
        case "snapshot": try snapshot(arguments)
        case "snapshots": try snapshots(arguments)
        case "delete-snapshot": try deleteSnapshot(arguments)
        case "restore": try restore(arguments)
        case "reset": try reset(arguments)
        case "delete": try delete(arguments)
        default:
            throw arguments.notOne(
                of: "make", "seed", "list", "show", "snapshot", "snapshots", "delete-snapshot",
                "restore", "reset", "delete")
        }
    }

    private static func make(_ arguments: Arguments) throws {
        try arguments.refuseMore(than: 2)
        let name = try arguments.positional.dropFirst().first.map {
            try Arguments.name($0, for: "NAME")
        }
        let answer = try ControlClient(arguments).sendToRoot(
            "POST", "/worlds", MakeWorldBody(name: name))
        if arguments.has("json") { return printJSON(answer) }
        let world = try WireJSON.decode(WorldBody.self, from: answer)
        Terminal.print("made \(world.name) at \(world.path)")
    }

    private static func seed(_ arguments: Arguments) throws {
        guard arguments.positional.count > 1 else {
            throw UsageError("bodega world seed needs FILE")
        }
        try arguments.refuseMore(than: 3)
        let path = arguments.positional[1]
        let stem = (path as NSString).lastPathComponent.split(separator: ".").first
        let name = arguments.positional.dropFirst(2).first ?? stem.map(String.init) ?? ""
        let world = try worldPath(name)
        let body = try SeedFile.read(path)
        let answer: [UInt8]
        do {
            answer = try ControlClient(arguments).sendToRoot(
                "PUT", world + (arguments.has("replace") ? "?replace=true" : ""),
                bytes: body)
        } catch let failure as Failure {
            throw Failure("\(path): \(failure)")
        }
        try tell(answer, arguments) { "seeded \($0)" }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).sendToRoot("GET", "/worlds")
        if arguments.has("json") { return printJSON(answer) }
        let body = try WireJSON.decode(WorldsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["WORLD", "PATH", "KILOBYTES", "CHANGED", "SNAPSHOTS", "ID"],
                body.worlds.map {
                    [
                        $0.name, $0.path.isEmpty ? "/" : $0.path, "\($0.bytes / 1_024)",
                        CalendarDate($0.changedAt).rfc3339, "\($0.snapshotCount)",
                        $0.id ?? "(not open)",
                    ]
                }))
    }

    private static func show(_ arguments: Arguments) throws {
        let path = try worldPath(try arguments.words("show", "world")[1])
        let answer = try ControlClient(arguments).sendToRoot("GET", path)
        try tell(answer, arguments) { $0 }
    }

    private static func reset(_ arguments: Arguments) throws {
        let path = try worldPath(try arguments.words("reset", "world")[1])
        let answer = try ControlClient(arguments).sendToRoot(
            "POST", path + "/reset",
            ResetWorldBody(keepCatalogue: arguments.has("keep-catalog")))
        try tell(answer, arguments) { "reset \($0)" }
    }

    private static func delete(_ arguments: Arguments) throws {
        let name = try arguments.words("delete", "name")[1]
        let path = try worldPath(name)
        _ = try ControlClient(arguments).sendToRoot("DELETE", path)
        Terminal.print(arguments.has("json") ? #"{"deleted":true}"# : "deleted \(name)")
    }
}

// Snapshots, and how answers are shown.
extension WorldCommand {
    private static func snapshot(_ arguments: Arguments) throws {
        guard arguments.positional.count > 1 else {
            throw UsageError("bodega world snapshot needs WORLD")
        }
        try arguments.refuseMore(than: 3)
        let snapshot = try arguments.positional.dropFirst(2).first.map {
            try Arguments.name($0, for: "SNAPSHOT")
        }
        let path = try worldPath(arguments.positional[1])
        let answer = try ControlClient(arguments).sendToRoot(
            "POST", path + "/snapshots", MakeSnapshotBody(name: snapshot))
        if arguments.has("json") { return printJSON(answer) }
        let body = try WireJSON.decode(SnapshotBody.self, from: answer)
        Terminal.print("made the snapshot \(body.name), \(body.bytes / 1_024) kilobytes")
    }

    private static func snapshots(_ arguments: Arguments) throws {
        let path = try worldPath(try arguments.words("snapshots", "world")[1])
        let answer = try ControlClient(arguments).sendToRoot("GET", path + "/snapshots")
        if arguments.has("json") { return printJSON(answer) }
        let body = try WireJSON.decode(SnapshotsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["SNAPSHOT", "KILOBYTES", "MADE"],
                body.snapshots.map {
                    [$0.name, "\($0.bytes / 1_024)", CalendarDate($0.createdAt).rfc3339]
                }))
    }

    private static func deleteSnapshot(_ arguments: Arguments) throws {
        let words = try arguments.words("delete-snapshot", "world", "snapshot")
        let path = try worldPath(words[1])
        let snapshot = try Arguments.name(words[2], for: "SNAPSHOT")
        _ = try ControlClient(arguments).sendToRoot("DELETE", path + "/snapshots/\(snapshot)")
        Terminal.print(arguments.has("json") ? #"{"deleted":true}"# : "deleted \(words[2])")
    }

    private static func restore(_ arguments: Arguments) throws {
        let words = try arguments.words("restore", "world", "snapshot")
        let path = try worldPath(words[1])
        let snapshot = try Arguments.name(words[2], for: "SNAPSHOT")
        let answer = try ControlClient(arguments).sendToRoot(
            "POST", path + "/restore", RestoreWorldBody(snapshot: snapshot))
        try tell(answer, arguments) { "restored \($0)" }
    }

    private static func worldPath(_ name: String) throws -> String {
        "/worlds/\(try Arguments.name(name, for: "WORLD"))"
    }

    private static func printJSON(_ answer: [UInt8]) {
        Terminal.print(String(decoding: answer, as: UTF8.self))
    }

    private static func tell(
        _ answer: [UInt8], _ arguments: Arguments, _ sentence: (String) -> String
    ) throws {
        if arguments.has("json") { return printJSON(answer) }
        let world = try WireJSON.decode(WorldDetailsBody.self, from: answer)
        Terminal.print(
            sentence(
                "\(world.name) (\(world.id)): \(world.apps) apps, \(world.products) products, "
                    + "\(world.accounts) accounts, \(world.devices) devices, "
                    + "\(world.transactions) transactions"))
    }
}
