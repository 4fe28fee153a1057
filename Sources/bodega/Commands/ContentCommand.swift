import AppStoreServer
import Foundation
import StoreWire

/// `bodega content`
enum ContentCommand {
    static let command = Command(
        group: "content", "product content that buyers download from the store",
        shared: Option.inWorld,
        details: """
            upload makes the files of a folder a new version of the product's content: data only, at
            most 10,000 files and 2 GiB. Executables, libraries and scripts are refused by name, and
            so is everything but ordinary files. It sends only what the store does not have; if it
            is interrupted, run it again within a day to continue.

            An unfinished purchase delivers the newest version. Older ones are kept until they are
            removed, for devices that have begun to download them; after that, these have a day to
            finish. See docs/content.md.
            """,
        examples: [
            "bodega content upload com.example.rocketcar.turbo Levels --bundle-id "
                + "com.example.rocketcar",
            "bodega content upload com.example.rocketcar.turbo Levels --content-version 1.1 "
                + "--bundle-id com.example.rocketcar",
            "bodega content remove com.example.rocketcar.turbo --content-version 1.0 "
                + "--bundle-id com.example.rocketcar",
        ],
        commands: [
            Command(
                "upload PRODUCT FOLDER", "make a folder's files a new version",
                [
                    .bundleID,
                    Option("content-version", "V", "digits and full stops (1.0)"),
                ], run: upload),
            Command("list", "every version of every product", [.bundleID], run: list),
            Command(
                "remove PRODUCT", "remove a version, or all of them",
                [.bundleID, Option("content-version", "V", "that version only")], run: remove),
        ])

    private static func upload(_ arguments: Arguments) throws {
        let product = try arguments.product()
        let client = try ControlClient(arguments)
        let version = arguments.value("content-version") ?? "1.0"
        let folder = try ContentFolder(path: arguments["FOLDER"], version: version)
        let answer = try ContentSender(
            client: client, folder: folder, uploads: product + "/content-uploads"
        ).send(BeginContentBody(contentVersion: version, files: folder.files))
        try arguments.show(answer) { (body: ContentVersionBody) in
            "\(body.productId) \(body.contentVersion): \(body.fileCount) files, "
                + "\(body.contentLength) bytes"
        }
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.send("GET", try arguments.app() + "/content") { (body: ContentVersionsBody) in
            Terminal.table(
                ["PRODUCT", "VERSION", "CURRENT", "FILES", "BYTES", "ADDED"],
                body.versions.map {
                    [
                        $0.productId, $0.contentVersion, $0.isCurrent ? "yes" : "",
                        "\($0.fileCount)", "\($0.contentLength)", TimeWords.text($0.addedAt),
                    ]
                })
        }
    }

    private static func remove(_ arguments: Arguments) throws {
        let version = arguments.value("content-version").map { "/\(ServerClient.escaped($0))" }
        let path = try arguments.product() + "/content" + (version ?? "")
        try arguments.send("DELETE", path) { (body: RemovedContentBody) in
            let current = body.currentVersion.map { "purchases now deliver \($0)" }
            return "removed \(body.removed.joined(separator: ", ")); "
                + (current ?? "no content is left")
        }
    }
}
