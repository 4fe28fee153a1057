public import Foundation
import StoreModel
import StoreWire

/// A real store of this test process: `bodega serve` on a free port, with a folder of its own.
///
/// It ends with the process, however that ends, and leaves nothing. Tests share one, and each makes
/// worlds in it.
///
/// ```swift
/// func makeWorld(selling catalogue: BodegaWorld.Catalogue) async throws -> BodegaWorld {
///     try await BodegaStore.shared.world(catalogue: catalogue, bundleID: "com.example.app")
/// }
/// ```
///
/// The program is the one that the variable `BODEGA_PROGRAM` names; otherwise the first `bodega`
/// beside the test program, in its build folder, or on `PATH`.
public final class BodegaStore: Sendable {
    private static let first = Task { try await start() }

    let process: StoreProcess
    private let door: ControlDoor

    private init(_ process: StoreProcess) {
        self.process = process
        door = ControlDoor(url: process.ready.url, token: process.ready.controlToken) {
            [process] in await Self.endSentence(of: process)
        }
    }

    /// One store for all tests of the process, started when it is first needed.
    public static var shared: BodegaStore {
        get async throws { try await first.value }
    }

    /// Starts a store, and returns when it is ready, after a second or two.
    ///
    /// - Parameter program: The path of `bodega`; looked for when nil.
    public static func start(program: String? = nil) async throws -> BodegaStore {
        let path = try program ?? ProgramSearch.usual.found()
        return BodegaStore(try await blocking { try StoreProcess(program: path) })
    }

    /// Its address, such as `http://127.0.0.1:41234`. Worlds have addresses below it.
    public var url: URL { URL(string: process.ready.url) ?? URL(fileURLWithPath: "/") }

    /// The password of the owner, for commands and requests of your own: `BODEGA_TOKEN`.
    public var controlToken: String { process.ready.controlToken }

    /// The folder in which its worlds have the homes of their devices; removed with the store.
    var folder: String { process.ready.folder }

    /// Makes a world of its own: a catalogue, a buyer, a clock and a history that no other test sees.
    ///
    /// The clock stands still at the real time, unless another one is given, until the world is
    /// `advance`d; subscriptions renew by the calendar.
    ///
    /// - Parameters:
    ///   - catalogue: What the app sells.
    ///   - bundleID: The app.
    ///   - appVersion: The version that its devices run.
    ///   - storefront: The country of the buyer, as three letters.
    ///   - time: What its clock shows at first.
    public func world(
        catalogue: BodegaWorld.Catalogue, bundleID: String = "com.example.app",
        appVersion: String = "1.0",
        storefront: String = "USA", time: Date? = nil
    ) async throws -> BodegaWorld {
        let file = try catalogue.bytes()
        let made = try await door.ask(
            WorldBody.self, "POST", "/control/v1/worlds", MakeWorldBody(name: nil))
        let world = BodegaWorld(made, of: self, bundleID: bundleID, appVersion: appVersion)
        do {
            try await world.prepare(file, of: catalogue, storefront: storefront, time: time)
        } catch {
            await world.end()
            throw error
        }
        return world
    }

    /// Ends the store and every world in it, and returns when nothing of it is left. Without this,
    /// it ends with the process.
    public func stop() async {
        _ = try? await blocking { [process] in process.stop() }
    }

    /// The door to a world's `/control`.
    func door(at path: String) -> ControlDoor {
        ControlDoor(url: process.ready.url + path, token: controlToken) { [process] in
            await Self.endSentence(of: process)
        }
    }

    /// The connection may break a moment before the process is seen to have ended.
    private static func endSentence(of process: StoreProcess) async -> String? {
        for _ in 0..<20 {
            if let sentence = process.endSentence { return sentence }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }
}

/// Threads for what waits, so many for all worlds of the process.
private let waiters: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 16
    return queue
}()

/// Runs what waits on a thread that may.
func blocking<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        waiters.addOperation { continuation.resume(with: Result { try body() }) }
    }
}
