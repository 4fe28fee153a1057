public import Foundation
import StoreKit
import StoreModel
import StoreWire
import Synchronization

/// A shop of its own inside a store, with a catalogue, customers, a clock and a history.
///
/// `run` binds StoreKit to it for a task and its children, so that tests in one process buy in
/// worlds of their own, at the same time:
///
/// ```swift
/// func buyAndRenew(_ product: SKProduct, in world: BodegaWorld) async throws {
///     try await world.run {
///         SKPaymentQueue.default().add(SKPayment(product: product))
///     }
///     try await world.advance(.days(31))
/// }
/// ```
///
/// It ends with its last owner, or by `end()`, with everything in it.
public final class BodegaWorld: Sendable {
    /// The buyer's name and the password of all accounts that are made without one.
    static let buyerName = "buyer@example.com"
    static let usualPassword = "rocket-fuel-1"

    private enum Life {
        case running([Account: StoreContext])
        case ended
    }

    /// Its name in the store, as in `/t/NAME`.
    public let name: String
    /// The app that its devices run.
    public let bundleID: String
    /// The customer that every world has: `run` is theirs, unless another one is named.
    public let buyer = Account(name: buyerName, password: usualPassword)

    private let appVersion: String
    private let store: BodegaStore
    private let path: String
    private let door: ControlDoor
    private let life = Mutex(Life.running([:]))

    init(_ body: WorldBody, of store: BodegaStore, bundleID: String, appVersion: String) {
        name = body.name
        path = body.path
        self.store = store
        self.bundleID = bundleID
        self.appVersion = appVersion
        door = store.door(at: body.path + "/control/v1")
    }

    deinit {
        let ending = ending()
        Task { await ending?() }
    }

    // MARK: - Addresses

    /// What `STOREKIT_URL` would be: the address of the world's sandbox.
    public var url: URL { store.url.appending(path: "\(path)/sandbox") }

    /// Where a backend has receipts of this world verified.
    public var verifyReceiptURL: URL { url.appending(path: "verifyReceipt") }

    // MARK: - The device

    /// Binds StoreKit to a customer's device in this world for a body, and for the tasks that it
    /// creates.
    ///
    /// The device is signed in, has a home, a journal and a receipt of its own, and approves every
    /// payment. It is the same one each time. What is created here stays here: a request that is
    /// started later, an observer that is called later, and a task that the observer creates. A
    /// detached task, and work on a dispatch queue, are outside. Inside another `run`, the inner one
    /// counts.
    ///
    /// - Parameters:
    ///   - account: The customer; the world's buyer when nil.
    ///   - isolation: Where the body runs: where the caller does.
    ///   - body: What the app does on this device.
    public func run<Answer>(
        as account: Account? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        let context = try await context(of: account ?? buyer)
        return try await context.run(body)
    }

    private func context(of account: Account) async throws -> StoreContext {
        if let context = try known(account) { return context }
        let context = StoreContext(
            variables: variables(of: account),
            ending: "The world \(name) has ended, so nothing can be bought in it.")
        let trouble = try await blocking { context.signIn() }
        if let trouble { throw BodegaError("signInFailed", "\(account.name): \(trouble)") }
        return try keep(context, of: account)
    }

    /// Never inlined: the optimizer looks for its thread before a wait, and a mutex that is locked after
    /// it on another one would stop the process.
    @inline(never)
    private func keep(_ context: StoreContext, of account: Account) throws -> StoreContext {
        try life.withLock { life in
            guard case .running(var contexts) = life else { throw gone }
            // Another task may have been faster.
            if let context = contexts[account] { return context }
            contexts[account] = context
            life = .running(contexts)
            return context
        }
    }

    private func known(_ account: Account) throws(BodegaError) -> StoreContext? {
        try life.withLock { life throws(BodegaError) in
            guard case .running(let contexts) = life else { throw gone }
            return contexts[account]
        }
    }

    private func variables(of account: Account) -> [String: String] {
        [
            "STOREKIT_URL": url.absoluteString, "STOREKIT_BUNDLE_ID": bundleID,
            "STOREKIT_APP_VERSION": appVersion, "STOREKIT_SHEET": "approve",
            "STOREKIT_ACCOUNT": "\(account.name):\(account.password)",
            "STOREKIT_HOME": home + "/" + ControlDoor.escaped(account.name),
        ]
    }

    private var home: String { DeviceHome.folder(ofWorld: name, in: store) }

    // MARK: - The end

    /// Ends the world: the devices stop, and everything in it is gone. Ending it again does nothing.
    public func end() async {
        await ending()?()
    }

    /// What ends it; nil when it has ended.
    private func ending() -> (@Sendable () async -> Void)? {
        let before = life.withLock { life in
            defer { life = .ended }
            return life
        }
        guard case .running(let contexts) = before else { return nil }
        let (store, name, home) = (store, name, home)
        return {
            _ = try? await blocking {
                for context in contexts.values { context.end() }
                DeviceHome.remove(home)
            }
            _ = try? await store.door(at: "/control/v1").send("DELETE", "/worlds/\(name)")
        }
    }

    private var gone: BodegaError {
        BodegaError("worldEnded", "The world \(name) has ended; make another one.")
    }

    // MARK: - The owner

    /// Sends any request of the store's interface below the world's `/control/v1`, such as `GET
    /// /subscriptions`, and gives the body of the answer.
    @discardableResult
    public func control(_ method: String, _ path: String, json: Data? = nil) async throws -> Data {
        _ = try known(buyer)
        return Data(try await door.send(method, path, bytes: json.map { Array($0) }))
    }

    func ask<Answer: Decodable>(
        _ type: Answer.Type, _ method: String, _ path: String,
        _ body: (any Encodable & Sendable)? = nil
    ) async throws(BodegaError) -> Answer {
        _ = try known(buyer)
        return try await door.ask(type, method, path, body)
    }

    /// What the store says of the catalogue begins with its place.
    func prepare(
        _ file: [UInt8], of catalogue: Catalogue, storefront: String, time: Date?
    ) async throws {
        let app = ControlDoor.escaped(bundleID)
        do {
            try await door.send("PUT", "/apps/\(app)/catalog", bytes: file)
        } catch {
            throw BodegaError(
                error.code, catalogue.place + error.description, isRefusal: error.isRefusal)
        }
        try await door.send(
            "PUT", "/clock", ClockBody(mode: .held, now: time.map(\.timestamp)))
        try await door.send(
            "PUT", "/clock/pace", PacesBody(production: nil, sandbox: .calendar))
        _ = try await account(
            buyer.name, password: buyer.password, storefront: storefront)
    }
}
