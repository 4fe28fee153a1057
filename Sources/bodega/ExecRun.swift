import AppStoreServer
import Foundation
import Glibc
import StoreWire

/// One run of `bodega exec`: its servers, then the command, then the end of all of them.
final class ExecRun {
    /// The world that is made.
    private static let world = "exec"
    /// How long the command may take to end when a server has failed.
    private static let endSecondsMax = 10

    /// A signal came before the command ran.
    private struct Interrupted: Error {
        let signal: Int32
    }

    /// The store as it says itself that it is.
    private struct Store {
        let body: TemporaryStoreBody
        let sharedSecret: String

        var world: String { "\(body.url)/t/\(ExecRun.world)" }
        func place(_ name: String) -> String { "\(body.folder)/\(name)" }
    }

    private struct Backend {
        let url: String
        let token: String
    }

    private let plan: ExecPlan
    private var store: ServerChild?
    private var backend: ServerChild?
    private var command: ChildProcess?
    private var folder: String?
    private let terminal = ForegroundTerminal()

    init(_ plan: ExecPlan) {
        self.plan = plan
    }

    /// The exit code.
    func run() throws -> Int32 {
        defer { end() }
        do {
            let store = try startStore()
            return try runCommand(with: store, try startBackend(with: store))
        } catch let interrupted as Interrupted {
            return 128 + interrupted.signal
        }
    }

    // MARK: - Servers

    private func startStore() throws -> Store {
        let child = try ServerChild(
            "store", ["serve", "--temporary"], environment: Self.ownEnvironment)
        store = child
        let body = try WireJSON.decode(
            TemporaryStoreBody.self, from: try child.firstLine(throwIfInterrupted))
        folder = body.folder
        child.keepLog(in: "\(body.folder)/store.log")
        let client = ServerClient(.store, at: body.url, token: body.controlToken)
        let worlds = "/control/v1/worlds"
        if let seed = plan.seed {
            _ = try client.send("PUT", "\(worlds)/\(Self.world)", seed.bytes)
        } else {
            _ = try client.send(
                "POST", worlds, try WireJSON.encode(MakeWorldBody(name: Self.world)))
        }
        let secret = try client.send(
            "POST", "/t/\(Self.world)/control/v1/developers/default/secrets",
            try WireJSON.encode(MakeSecretBody(overlapMilliseconds: nil)))
        try throwIfInterrupted()
        return Store(
            body: body,
            sharedSecret: try WireJSON.decode(MadeSecretBody.self, from: secret).secret)
    }

    private func startBackend(with store: Store) throws -> Backend? {
        guard let products = plan.products else { return nil }
        let data = store.place("backend")
        var environment = Self.ownEnvironment
        environment[Leftovers.variable] = store.body.folder
        environment["BODEGA_SHARED_SECRET"] = store.sharedSecret
        let child = try ServerChild(
            "backend",
            [
                "backend", "--data", data, "--port", "0",
                "--products", try products.file(in: store.body.folder),
                "--production-url", store.world + "/production",
                "--sandbox-url", store.world + "/sandbox", "--allow-sandbox",
            ], environment: environment)
        backend = child
        _ = try child.firstLine(throwIfInterrupted)
        child.keepLog(in: store.place("backend.log"))
        guard let url = try ServerFile.address(below: data, start: "bodega exec"),
            let token = ServerClient.Kind.backend.token(below: data)
        else { throw Failure("the backend did not say where it listens") }
        return Backend(url: url, token: token)
    }

    private func throwIfInterrupted() throws {
        guard let signal = Signals.next(Signals.all, milliseconds: 0) else { return }
        throw Interrupted(signal: signal)
    }

    // MARK: - The command

    private func runCommand(with store: Store, _ backend: Backend?) throws -> Int32 {
        let child: ChildProcess
        do {
            child = try ChildProcess(
                plan.program, plan.words, environment: environment(for: store, backend))
        } catch let failure as Failure {
            throw Failure(failure.description, code: "programUnusable", exitCode: 126)
        }
        command = child
        terminal?.give(to: child.id)
        while true {
            guard let signal = Signals.next(Signals.all + [SIGCHLD], milliseconds: 60_000) else {
                continue
            }
            guard signal == SIGCHLD else {
                child.signal(signal)
                continue
            }
            switch child.event() {
            case .ended(let code)?:
                command = nil
                terminal?.take(from: child.id)
                child.signal(SIGKILL)
                return code
            case .stopped?: stop(with: child)
            case nil: break
            }
            for server in [self.store, self.backend] { try server?.check() }
        }
    }

    /// Stops as the command did, for the shell that reads its keys, and goes on with it.
    private func stop(with child: ChildProcess) {
        guard let terminal else { return }
        terminal.take(from: child.id)
        kill(getpid(), SIGSTOP)
        terminal.give(to: child.id)
        child.signal(SIGCONT)
    }

    /// What the command finds the servers by.
    private func environment(for store: Store, _ backend: Backend?) -> [String: String] {
        var all = ProcessInfo.processInfo.environment
        all["BODEGA_OPERATOR_TOKEN"] = backend?.token
        all["BODEGA_BACKEND_URL"] = backend?.url
        all[Leftovers.variable] = store.body.folder
        all["BODEGA_DATA"] = store.body.data
        all["BODEGA_URL"] = store.body.url
        all["BODEGA_TOKEN"] = store.body.controlToken
        all["BODEGA_WORLD"] = Self.world
        all["BODEGA_PRODUCTION_URL"] = store.world + "/production"
        all["BODEGA_SANDBOX_URL"] = store.world + "/sandbox"
        all["BODEGA_SHARED_SECRET"] = store.sharedSecret
        all["BODEGA_BACKEND_DATA"] = store.place("backend")
        all["STOREKIT_URL"] = store.world + "/sandbox"
        all["STOREKIT_HOME"] = store.place("device")
        if all["STOREKIT_APP_VERSION", default: ""].isEmpty { all["STOREKIT_APP_VERSION"] = "1.0" }
        if all["STOREKIT_SHEET", default: ""].isEmpty { all["STOREKIT_SHEET"] = "approve" }
        if let app = plan.app {
            all["BODEGA_BUNDLE_ID"] = app.bundleID
            all["STOREKIT_BUNDLE_ID"] = app.bundleID
        }
        if let account = plan.seed?.summary.account {
            all["STOREKIT_ACCOUNT"] = "\(account.name):\(account.password)"
        }
        return all
    }

    /// Without anything that leads to another store.
    private static var ownEnvironment: [String: String] {
        ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("BODEGA_") && !$0.key.hasPrefix("STOREKIT_")
        }
    }

    // MARK: - The end

    private func end() {
        command?.end(secondsMax: Self.endSecondsMax)
        backend?.end()
        if let folder { Leftovers.kill(startedFor: folder) }
        store?.end()
        // The store did so unless it was killed.
        if let folder { TemporaryFolder.remove(folder) }
    }
}
