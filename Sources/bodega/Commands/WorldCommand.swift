import Foundation
import StoreModel
import StoreWire

/// `bodega world`
enum WorldCommand {
    static let command = Command(
        group: "world", "test sessions and the default world, each with its own history",
        shared: Option.store,
        details: """
            A world has its own catalogue, accounts, clock and history. A session is created and
            deleted in milliseconds. Its addresses are below /t/NAME, such as
            http://127.0.0.1:8080/t/NAME/sandbox. Other commands reach it with --world NAME. The
            world at the root is named default.

            seed creates a world from one JSON file, in the form of docs/worlds.md; the same file
            gives the same transaction numbers. WORLD defaults to the file's name. export writes such a
            file, without secrets: a password for its accounts has to be given, and a shared secret to
            be made. snapshot copies a
            world while it runs. restore and reset replace a world at once and as a whole: every
            device must register again, and earlier receipts are no longer valid. So does seed
            --replace. For the default world all three ask for confirmation, or require --yes.
            """,
        examples: [
            "bodega world make checkout-test",
            "bodega world make xcode-test --sandbox-name Xcode",
            "bodega catalog import P.storekit --bundle-id com.example.app --world checkout-test",
            "bodega world seed shop.json shop-test",
            "bodega world export shop.json --world shop-test",
            "bodega world snapshot default before-sale",
            "bodega world restore default before-sale --yes",
        ],
        commands: [
            Command(
                "make [NAME]", "create a test session",
                [
                    Option(
                        "sandbox-name", "NAME", "the sandbox's name in signed data (Sandbox)",
                        choices: SandboxName.allCases.map(\.rawValue))
                ]
            ) {
                let name = try $0.word("NAME").map { try Arguments.name($0, for: "NAME") }
                let body = MakeWorldBody(
                    name: name,
                    sandboxName: $0.value("sandbox-name").flatMap { SandboxName(rawValue: $0) })
                try ask($0, "POST", "", body) { (world: WorldBody) in
                    "made \(world.name) at \(world.path)"
                }
            },
            Command(
                "seed FILE [WORLD]", "create a world from a file",
                [Option("replace", "replace the world of that name"), yes], run: seed),
            Command(
                "export [FILE]", "write a world as a file that makes one like it",
                [
                    .world,
                    Option(
                        "password", "P", "of every account in the file, which has none otherwise"),
                ], run: export),
            Command("list", "every world", run: list),
            Command("show WORLD", "the contents of a world") {
                try ask($0, "GET", try world($0)) { details($0) }
            },
            Command("snapshot WORLD [SNAPSHOT]", "copy a world") {
                let world = try world($0)
                let name = try $0.word("SNAPSHOT") == nil ? nil : snapshot($0)
                let body = MakeSnapshotBody(name: name)
                try ask($0, "POST", world + "/snapshots", body) { (made: SnapshotBody) in
                    "made the snapshot \(made.name), \(made.bytes / 1_024) kilobytes"
                }
            },
            Command("snapshots WORLD", "a world's snapshots", run: snapshots),
            Command("delete-snapshot WORLD SNAPSHOT", "delete one") {
                try delete($0, try world($0) + "/snapshots/\(try snapshot($0))", $0["SNAPSHOT"])
            },
            Command("restore WORLD SNAPSHOT", "replace a world with a snapshot", [yes]) {
                let world = try world($0)
                let body = RestoreWorldBody(snapshot: try snapshot($0))
                try requireAgreement($0, to: world)
                try ask($0, "POST", world + "/restore", body) { "restored \(details($0))" }
            },
            Command(
                "reset WORLD", "replace a world with an empty one",
                [Option("keep-catalog", "keep the catalogue"), yes]
            ) {
                let world = try world($0)
                let body = ResetWorldBody(keepCatalogue: $0.has("keep-catalog"))
                try requireAgreement($0, to: world)
                try ask($0, "POST", world + "/reset", body) { "reset \(details($0))" }
            },
            Command("delete WORLD", "delete a session and its snapshots") {
                try delete($0, try world($0), $0["WORLD"])
            },
        ])

    private static let yes = Option("yes", "replace the default world without asking")

    /// Asks for confirmation before the default world is replaced; a script passes `--yes`.
    private static func requireAgreement(_ arguments: Arguments, to world: String) throws {
        guard world == "/default", !arguments.has("yes") else { return }
        switch Terminal.agreement(
            to: "This replaces the default world and everything in it. Continue?")
        {
        case true?: return
        case false?: throw Failure("the default world was not changed")
        case nil:
            throw UsageError(
                "\(arguments.path) replaces the default world and everything in it: add --yes to "
                    + "confirm")
        }
    }

    private static func seed(_ arguments: Arguments) throws {
        let path = arguments["FILE"]
        let stem = (path as NSString).lastPathComponent.split(separator: ".").first
        let world = try world(arguments.word("WORLD") ?? stem.map(String.init) ?? "")
        let body = try SeedFile.read(path)
        if arguments.has("replace") { try requireAgreement(arguments, to: world) }
        let answer: [UInt8]
        do {
            answer = try ControlClient(arguments).send(
                "PUT", "/worlds\(world)" + (arguments.has("replace") ? "?replace=true" : ""),
                bytes: body)
        } catch let failure as Failure {
            throw failure.said { "\(path): \($0)" }
        }
        try arguments.show(answer) { "seeded \(details($0))" }
    }

    private static func export(_ arguments: Arguments) throws {
        var seed = try JSONValue(parsing: try ControlClient(arguments).send("GET", "/seed"))
        if let password = arguments.value("password") {
            seed = seed.merging([
                "accounts": .array(
                    (seed["accounts"]?.array ?? []).map {
                        $0.merging(["password": .string(password)])
                    })
            ])
        }
        let bytes = seed.indentedBytes
        guard bytes.count <= SeedFile.bytesMax else {
            throw Failure(
                "the world is too large for a seed: with the passwords, it would have more than "
                    + "\(SeedFile.bytesMax) bytes")
        }
        guard let path = arguments.word("FILE") else { return Terminal.print(file: bytes) }
        try OutputFile(path).write(bytes)
        Terminal.note("wrote \(path)")
    }

    private static func list(_ arguments: Arguments) throws {
        try ask(arguments, "GET", "") { (body: WorldsBody) in
            Terminal.table(
                ["WORLD", "PATH", "KILOBYTES", "CHANGED", "SNAPSHOTS", "ID"],
                body.worlds.map {
                    [
                        $0.name, $0.path.isEmpty ? "/" : $0.path, "\($0.bytes / 1_024)",
                        CalendarDate($0.changedAt).rfc3339, "\($0.snapshotCount)",
                        $0.id ?? "(not open)",
                    ]
                })
        }
    }

    private static func snapshots(_ arguments: Arguments) throws {
        try ask(arguments, "GET", try world(arguments) + "/snapshots") { (body: SnapshotsBody) in
            Terminal.table(
                ["SNAPSHOT", "KILOBYTES", "MADE"],
                body.snapshots.map {
                    [$0.name, "\($0.bytes / 1_024)", CalendarDate($0.createdAt).rfc3339]
                })
        }
    }

    private static func delete(_ arguments: Arguments, _ place: String, _ name: String) throws {
        _ = try ControlClient(arguments).send("DELETE", "/worlds\(place)")
        Terminal.print(arguments.has("json") ? #"{"deleted":true}"# : "deleted \(name)")
    }

    /// Asks the root about worlds and prints the answer.
    private static func ask<Body: Decodable>(
        _ arguments: Arguments, _ method: String, _ place: String,
        _ body: (any Encodable)? = nil, _ text: (Body) -> String
    ) throws {
        let answer = try ControlClient(arguments).send(method, "/worlds\(place)", body)
        try arguments.show(answer, text)
    }

    /// The path of the world in the word WORLD, below that of all worlds.
    private static func world(_ arguments: Arguments) throws -> String {
        try world(arguments["WORLD"])
    }

    private static func world(_ name: String) throws -> String {
        "/\(try Arguments.name(name, for: "WORLD"))"
    }

    private static func snapshot(_ arguments: Arguments) throws -> String {
        try Arguments.name(arguments["SNAPSHOT"], for: "SNAPSHOT")
    }

    private static func details(_ world: WorldDetailsBody) -> String {
        "\(world.name) (\(world.id)): \(world.apps) apps, \(world.products) products, "
            + "\(world.accounts) accounts, \(world.devices) devices, "
            + "\(world.transactions) transactions"
    }
}
