import Foundation
import StoreWire

/// `bodega catalog`
enum CatalogCommand {
    static let command = Command(
        group: "catalog", "an app's products, from Xcode's catalogue files and back",
        shared: Option.inWorld,
        details: """
            import reads StoreKit configuration files of versions 1.0 to 5.0 and prints what
            changed. Importing again changes only what differs; a product that was ever sold is
            taken off sale instead of deleted. A broken file changes nothing. export writes the file
            as Xcode would, byte for byte.
            """,
        examples: [
            "bodega catalog import Products.storekit --bundle-id com.example.rocketcar",
            "bodega catalog export --bundle-id com.example.rocketcar > Products.storekit",
        ],
        commands: [
            Command(
                "import FILE", "import the products of a .storekit file", [.newBundleID],
                run: importFile),
            Command(
                "export", "write the products to standard output or a file",
                [.bundleID, Option("output", "FILE", "a file in place of standard output")],
                run: export),
        ])

    private static func importFile(_ arguments: Arguments) throws {
        let path = arguments["FILE"]
        guard let file = FileManager.default.contents(atPath: path) else {
            throw Failure("cannot read \(path)")
        }
        let answer: [UInt8]
        do {
            answer = try ControlClient(arguments).send(
                "PUT", try arguments.app() + "/catalog", bytes: Array(file))
        } catch let failure as Failure {
            throw failure.said { "\(path): \($0)" }
        }
        try arguments.show(answer) { (body: CatalogueImportBody) in body.text }
    }

    private static func export(_ arguments: Arguments) throws {
        let file = try ControlClient(arguments).send("GET", try arguments.app() + "/catalog")
        guard let output = arguments.value("output") else {
            return Terminal.print(file: file)
        }
        try OutputFile(output).write(file)
    }
}
