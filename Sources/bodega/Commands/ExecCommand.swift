import AppStoreServer
import Foundation
import Glibc
import PurchaseBackend
import StoreModel
import StoreWire

/// `bodega exec`
enum ExecCommand {
    static let command = Command(
        "exec COMMAND…", "run a command with a store of its own, of which nothing is left",
        [
            Option("seed", "FILE", "what is in the world, in the form of docs/worlds.md"),
            Option("backend", "also start a purchase backend that works with the store"),
            Option(
                "products", "FILE",
                "the backend's products and what they deliver (JSON); those of the seed's only app, "
                    + "with a line of text each, when absent"),
        ],
        details: """
            The store is on a free port, in a temporary folder, with one world made from the seed, or
            an empty one. COMMAND finds it by variables: apps by STOREKIT_URL, STOREKIT_HOME and, for
            the only app and the first test account of the seed, STOREKIT_BUNDLE_ID and
            STOREKIT_ACCOUNT; bodega by BODEGA_DATA, BODEGA_URL, BODEGA_TOKEN, BODEGA_WORLD and
            BODEGA_BUNDLE_ID; backends by BODEGA_SANDBOX_URL, BODEGA_PRODUCTION_URL and
            BODEGA_SHARED_SECRET; callers of the backend by BODEGA_BACKEND_URL and
            BODEGA_OPERATOR_TOKEN. The folder is BODEGA_FOLDER, with store.log and backend.log.
            STOREKIT_SHEET is approve and STOREKIT_APP_VERSION 1.0, unless they are set.

            The exit code is that of COMMAND, or 128 and the number of the signal that ended it; 127
            if there is no such program, 126 if it cannot be run, 1 if a server fails, with the end of
            its log. SIGINT, SIGTERM, SIGHUP and SIGQUIT go to COMMAND. When it ends, or exec does in
            any way, whatever COMMAND started is killed, the servers end and the folder is removed.
            On a terminal, COMMAND has the keyboard until it ends; a pager that reads it
            through a pipe cannot use it.
            """,
        examples: [
            "bodega exec --seed shop.json -- swift test",
            "bodega exec --seed shop.json --backend -- npm test",
            "bodega exec -- sh -c 'bodega catalog import Products.storekit --bundle-id "
                + "com.example.app && swift test'",
        ], run: run)

    private static func run(_ arguments: Arguments) throws {
        let (words, seed) = (arguments.repeated, try seed(arguments))
        let plan = ExecPlan(
            program: try program(words[0]), words: words, seed: seed,
            products: try products(arguments, of: seed))
        OpenFiles.raiseLimit()
        Signals.hold(Signals.all + [SIGCHLD, SIGTTOU])
        exit(try ExecRun(plan).run())
    }

    private static func seed(_ arguments: Arguments) throws -> ExecPlan.Seed? {
        guard let path = arguments.value("seed") else { return nil }
        let bytes = try SeedFile.read(path)
        do {
            return ExecPlan.Seed(
                bytes: bytes, summary: try SeedSummary(checking: bytes, now: WallClock.system.now())
            )
        } catch {
            throw Failure("\(path): \(error)", code: "badSeed")
        }
    }

    /// The backend's products; nil for no backend.
    private static func products(
        _ arguments: Arguments, of seed: ExecPlan.Seed?
    ) throws -> ExecPlan.Products? {
        let path = arguments.value("products")
        guard arguments.has("backend") else {
            guard path == nil else { throw UsageError("--products needs --backend") }
            return nil
        }
        guard let path else {
            guard let apps = seed?.summary.apps, let app = apps.first, apps.count == 1 else {
                throw UsageError(
                    "--backend needs --products, or a --seed with one app, whose products it "
                        + "delivers")
            }
            return .of(app)
        }
        _ = try ProductList.read(file: path)
        return .file(URL(fileURLWithPath: path).path)
    }

    /// Where the program is that a word names, as shells find it.
    private static func program(_ name: String) throws -> String {
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let places =
            name.contains("/")
            ? [name]
            : search.split(separator: ":", omittingEmptySubsequences: false)
                .map { "\($0.isEmpty ? "." : String($0))/\(name)" }
        var isFolder: ObjCBool = false
        let there = places.filter {
            FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
                && (!isFolder.boolValue || name.contains("/"))
        }
        if let found = there.first(where: { access($0, X_OK) == 0 }), !isFolder.boolValue {
            return found
        }
        guard let first = there.first else {
            throw Failure(
                name.contains("/")
                    ? "there is no program \(name)" : "there is no program \(name) in PATH",
                code: "programUnknown", exitCode: 127)
        }
        throw Failure(
            "\(first) \(isFolder.boolValue ? "is a folder" : "may not be executed")",
            code: "programUnusable", exitCode: 126)
    }
}
