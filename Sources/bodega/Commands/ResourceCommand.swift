import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// `bodega resource`
enum ResourceCommand {
    static let command = Command(
        group: "resource", "on-demand resources of an app, by tag and app version",
        shared: Option.inWorld,
        details: """
            add makes the files of a folder the resources of a tag in one version of the app: data
            only, checked as the content of products is, with at most 10,000 files and 2 GiB. Apps
            get them with NSBundleResourceRequest, without an account and without a purchase. A
            tag's files never change in a version: use another version, or remove the tag first. If
            add is interrupted, run it again within a day to continue.

            Devices get --initial tags with the app and --prefetch ones after it, in the order in
            which they were added; all others when the app asks. A removed tag stays on devices that
            have it until they need the space. See docs/on-demand-resources.md.
            """,
        examples: [
            "bodega resource add moontrack Tracks/Moon --app-version 1.0 --bundle-id "
                + "com.example.rocketcar",
            "bodega resource add garage Garage --app-version 1.0 --initial --bundle-id "
                + "com.example.rocketcar",
            "bodega resource remove moontrack --app-version 1.0 --bundle-id "
                + "com.example.rocketcar",
        ],
        commands: [
            Command(
                "add TAG FOLDER", "make a folder's files the resources of a tag",
                [
                    .bundleID, appVersion,
                    Option("initial", "devices get it with the app"),
                    Option("prefetch", "devices get it after the app, unasked"),
                ], run: add),
            Command("list", "every tag of every version", [.bundleID], run: list),
            Command(
                "remove TAG", "remove a tag from a version", [.bundleID, appVersion], run: remove),
        ])

    private static let appVersion = Option(
        "app-version", "V", "the app's version, as devices register with it", isRequired: true)

    private static func add(_ arguments: Arguments) throws {
        let kind = try kind(arguments)
        let version = try arguments.required("app-version")
        let uploads = try path(arguments) + "/uploads"
        let client = try ControlClient(arguments)
        let folder = try ContentFolder(
            path: arguments["FOLDER"], tag: arguments["TAG"], appVersion: version)
        let answer = try ContentSender(client: client, folder: folder, uploads: uploads)
            .send(BeginResourceBody(kind: kind, files: folder.files))
        try arguments.show(answer) { (body: TaggedResourceBody) in
            "\(body.tag) of \(body.appVersion), \(words(body.kind)): \(body.fileCount) files, "
                + "\(body.contentLength) bytes"
        }
    }

    private static func kind(_ arguments: Arguments) throws -> ResourceKind {
        switch (arguments.has("initial"), arguments.has("prefetch")) {
        case (true, true): throw UsageError("a tag is --initial or --prefetch, not both")
        case (true, false): .initial
        case (false, true): .prefetch
        case (false, false): .onDemand
        }
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.send("GET", try arguments.app() + "/resources") {
            (body: TaggedResourcesBody) in
            Terminal.table(
                ["TAG", "APP VERSION", "KIND", "FILES", "BYTES", "ADDED"],
                body.resources.map {
                    [
                        $0.tag, $0.appVersion, words($0.kind), "\($0.fileCount)",
                        "\($0.contentLength)", TimeWords.text($0.addedAt),
                    ]
                })
        }
    }

    private static func remove(_ arguments: Arguments) throws {
        try arguments.send("DELETE", try path(arguments)) { (body: RemovedResourceBody) in
            "removed \(body.tag) from \(body.appVersion)"
        }
    }

    /// The path of the tag that the word TAG names, in the version that `--app-version` does.
    private static func path(_ arguments: Arguments) throws -> String {
        let tag = arguments["TAG"]
        if let problem = ResourceTag.problem(of: tag) {
            throw UsageError("TAG \(tag.debugDescription) \(problem)")
        }
        let version = ServerClient.escaped(try arguments.required("app-version"))
        return "\(try arguments.app())/resources/\(version)/\(ServerClient.escaped(tag))"
    }

    private static func words(_ kind: ResourceKind) -> String {
        switch kind {
        case .initial: "initial"
        case .prefetch: "prefetched"
        case .onDemand: "on demand"
        }
    }
}
