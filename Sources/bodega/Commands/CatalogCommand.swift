import Foundation
import StoreWire

/// `bodega catalog import|export`
enum CatalogCommand {
    static let command = Command(
        help: """
            bodega catalog: an app's products, from Xcode's catalogue files and back

              bodega catalog import FILE.storekit --bundle-id ID [--json]
              bodega catalog export --bundle-id ID [--output FILE]

            import reads StoreKit configuration files of versions 1.0 to 5.0 and prints what
            changed. Importing again changes only what differs; a product that was sold is never
            deleted, it is taken off sale. A broken file changes nothing.
            export writes the file as Xcode would, byte for byte, to standard output or FILE.

            Options:
              --bundle-id ID   the app
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega catalog import Products.storekit --bundle-id com.example.rocketcar
              bodega catalog export --bundle-id com.example.rocketcar > Products.storekit
            """,
        options: ControlClient.options.union(["bundle-id", "output"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "import": try importFile(arguments)
        case "export": try export(arguments)
        default: throw arguments.notOne(of: "import", "export")
        }
    }

    private static func importFile(_ arguments: Arguments) throws {
        let path = try arguments.words("import", "file")[1]
        let bundleID = try arguments.required("bundle-id")
        guard let file = FileManager.default.contents(atPath: path) else {
            throw Failure("cannot read \(path)")
        }
        let answer: [UInt8]
        do {
            answer = try ControlClient(arguments).send(
                "PUT", "/apps/\(ControlClient.escaped(bundleID))/catalog", bytes: Array(file))
        } catch let failure as Failure {
            throw Failure("\(path): \(failure)")
        }
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        Terminal.print(try WireJSON.decode(CatalogueImportBody.self, from: answer).text)
    }

    private static func export(_ arguments: Arguments) throws {
        _ = try arguments.words("export")
        let bundleID = try arguments.required("bundle-id")
        let file = try ControlClient(arguments).send(
            "GET", "/apps/\(ControlClient.escaped(bundleID))/catalog")
        guard let output = arguments.value("output") else {
            return FileHandle.standardOutput.write(Data(file))
        }
        do {
            try Data(file).write(to: URL(fileURLWithPath: output))
        } catch {
            throw Failure("cannot write \(output)")
        }
    }
}
