import AppStoreServer
import Foundation
import StoreWire

/// `bodega content upload|list|remove`
enum ContentCommand {
    static let command = Command(
        help: """
            bodega content: content of products, kept by the store for its buyers to fetch

              bodega content upload PRODUCT FOLDER --bundle-id ID [--content-version V]
              bodega content list --bundle-id ID
              bodega content remove PRODUCT --bundle-id ID [--content-version V]

            upload makes the files of a folder a new version of the product's content: data only,
            at most 10,000 files and 2 GiB. Executables, libraries and scripts are refused by name,
            and so is whatever is no ordinary file. It sends only what the store does not have;
            when it is broken off, say it again within a day and it goes on.

            An unfinished purchase brings the newest version there is. Older ones are kept until
            they are removed, for devices that have begun them. remove takes a version away, or all
            of them; who has begun it may go on for a day. docs/content.md tells more.

            Options:
              --bundle-id ID       the app
              --content-version V  digits and full stops; upload: 1.0 unless you say otherwise
              --world W            a test session instead of the default world
              --data DIR           the store's data directory (BODEGA_DATA)
              --url URL            the store's address (BODEGA_URL)
              --json               print the answer as JSON

            Examples:
              bodega content upload com.example.rocketcar.turbo Levels \\
                  --bundle-id com.example.rocketcar
              bodega content upload com.example.rocketcar.turbo Levels --content-version 1.1 \\
                  --bundle-id com.example.rocketcar
              bodega content remove com.example.rocketcar.turbo --content-version 1.0 \\
                  --bundle-id com.example.rocketcar
            """,
        options: ControlClient.options.union(["bundle-id", "content-version"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "upload": try upload(arguments)
        case "list": try list(arguments)
        case "remove": try remove(arguments)
        default: throw arguments.notOne(of: "upload", "list", "remove")
        }
    }

    private static func upload(_ arguments: Arguments) throws {
        let words = try arguments.words("upload", "product", "folder")
        let product = try ProductCommand.product(words[1], arguments)
        let client = try ControlClient(arguments)
        let folder = try ContentFolder(
            path: words[2], version: arguments.value("content-version") ?? "1.0")
        let answer = try ContentSender(client: client, folder: folder, product: product).send()
        try Answer.show(answer, as: ContentVersionBody.self, arguments) { body in
            "\(body.productId) \(body.contentVersion): \(body.fileCount) files, "
                + "\(body.contentLength) bytes"
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let path = try ProductCommand.app(arguments) + "/content"
        let answer = try ControlClient(arguments).send("GET", path)
        try Answer.show(answer, as: ContentVersionsBody.self, arguments) { body in
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
        let words = try arguments.words("remove", "product")
        let version = arguments.value("content-version").map { "/\(ControlClient.escaped($0))" }
        let path = try ProductCommand.product(words[1], arguments) + "/content" + (version ?? "")
        let answer = try ControlClient(arguments).send("DELETE", path)
        try Answer.show(answer, as: RemovedContentBody.self, arguments) { body in
            let current = body.currentVersion.map { "purchases bring \($0) now" }
            return "removed \(body.removed.joined(separator: ", ")); "
                + (current ?? "no content is left")
        }
    }
}
