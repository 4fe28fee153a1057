public import Foundation
import Glibc
import StoreModel
import StoreWire
import Synchronization

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
    private static let first = Mutex<Result<BodegaStore, BodegaError>?>(nil)

    let place: TemporaryStoreBody
    /// Nil for a store that somebody else started.
    private let process: StoreProcess?

    private init(_ process: StoreProcess) {
        self.process = process
        place = process.ready
    }

    /// A store that runs already; `folder` is for the homes of its worlds' devices.
    init(at url: String, controlToken: String, folder: String) {
        process = nil
        place = TemporaryStoreBody(
            url: url, tlsUrl: nil, processId: 0, folder: folder, data: "",
            controlToken: controlToken)
    }

    /// One store for all tests of the process, started when it is first needed.
    public static var shared: BodegaStore {
        get async throws { try await blocking { try sharedNow() } }
    }

    /// The same; the first one who asks waits for its start on this thread.
    package static func sharedNow() throws(BodegaError) -> BodegaStore {
        try first.withLock { first in
            let made = first ?? started()
            first = made
            return made
        }.get()
    }

    /// The store of StoreKitTest's sessions: the one that `BODEGA_URL` and `BODEGA_TOKEN` name, or else
    /// the shared one.
    package static func ofSessions() throws(BodegaError) -> BodegaStore {
        guard let url = ProgramSearch.value("BODEGA_URL") else { return try sharedNow() }
        return try outside.withLock { outside throws(BodegaError) in
            if let outside { return outside }
            guard let token = ProgramSearch.value("BODEGA_TOKEN") else {
                throw BodegaError(
                    "tokenMissing",
                    "BODEGA_URL is set, but BODEGA_TOKEN is not; set it to the store's control token."
                )
            }
            let store = BodegaStore(
                at: url.hasSuffix("/") ? String(url.dropLast()) : url, controlToken: token,
                folder: NSTemporaryDirectory() + "storekit-test-" + UUID().uuidString)
            outside = store
            atexit { BodegaStore.outside.withLock { $0 }?.leave() }
            return store
        }
    }

    private static let outside = Mutex<BodegaStore?>(nil)

    /// The worlds of StoreKitTest's sessions that have not ended.
    private let sessions = Mutex<Set<String>>([])

    /// Notes a session's world, or that it has ended.
    package func note(session name: String, isThere: Bool) {
        sessions.withLock { sessions in
            if isThere { sessions.insert(name) } else { sessions.remove(name) }
        }
    }

    /// Leaves nothing in a store of somebody else's when the process ends normally.
    private func leave() {
        for name in sessions.withLock({ $0 }) {
            _ = try? door(at: "/control/v1").sendNow("DELETE", "/worlds/\(name)")
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts a store, and returns when it is ready, after a second or two.
    ///
    /// - Parameter program: The path of `bodega`; looked for when nil.
    public static func start(program: String? = nil) async throws -> BodegaStore {
        try await blocking { try startNow(program: program) }
    }

    private static func started() -> Result<BodegaStore, BodegaError> {
        do throws(BodegaError) {
            return .success(try startNow(program: nil))
        } catch {
            return .failure(error)
        }
    }

    private static func startNow(program: String?) throws(BodegaError) -> BodegaStore {
        let path: String
        if let program { path = program } else { path = try ProgramSearch.usual.found() }
        return BodegaStore(try StoreProcess(program: path))
    }

    /// Its address, such as `http://127.0.0.1:41234`. Worlds have addresses below it.
    public var url: URL { URL(string: place.url) ?? URL(fileURLWithPath: "/") }

    /// The password of the owner, for commands and requests of your own: `BODEGA_TOKEN`.
    public var controlToken: String { place.controlToken }

    /// The folder in which its worlds have the homes of their devices; removed with the store.
    package var folder: String { place.folder }

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
        let made = try await door(at: "").ask(
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
        _ = try? await blocking { [process] in process?.stop() }
    }

    /// The door to what is below a path, such as a world's `/control`.
    package func door(at path: String) -> ControlDoor {
        ControlDoor(url: place.url + path, token: controlToken) { [process] in
            process.flatMap { Self.endSentence(of: $0) }
        }
    }

    /// The connection may break a moment before the process is seen to have ended.
    private static func endSentence(of process: StoreProcess) -> String? {
        for _ in 0..<20 {
            if let sentence = process.endSentence { return sentence }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return nil
    }
}

/// Threads for what waits, so many for all worlds of the process.
package let waiters: OperationQueue = {
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
