import Dispatch
import Foundation
import StoreModel
import Synchronization

/// An app on a device, as this process sees it: its settings, its queue, and whatever else StoreKit
/// keeps for it.
///
/// StoreKit 1 knows one for each process, which the environment describes. Tests have others:
/// `current` is the only way from the public types to one, and what they create keeps it.
package final class StoreContext: Sendable {
    typealias Settings = Result<StoreConfiguration?, StoreConfiguration.Problem>

    /// The context of the task.
    @TaskLocal private static var bound: StoreContext?

    private static let own = StoreContext(objection: { UsedAddress.ofProcess.objection }) {
        // Read at the same moment: from then on another address is refused.
        _ = UsedAddress.ofProcess
        return StoreConfiguration.read(ProcessInfo.processInfo.environment)
    }
    private static let replacement = Mutex<StoreContext?>(nil)

    /// The one that is bound to the task, or else the process's.
    static var current: StoreContext { bound ?? process }

    /// The process's: the environment's, unless another one takes its place.
    private static var process: StoreContext { replacement.withLock { $0 } ?? own }

    /// Whether the task has a context of its own.
    package static var isBound: Bool { bound != nil }

    /// Puts a context in the place of the process's; nil puts the environment's back. What listens
    /// to the process's goes on to it.
    package static func replaceProcess(with context: StoreContext?) {
        ProcessAudience.move(to: context) {
            replacement.withLock { present in
                defer { present = context }
                return present
            }
        }
    }

    /// Puts the environment's back, if this one is in its place.
    package static func restoreProcess(insteadOf context: StoreContext) {
        ProcessAudience.move(to: nil) {
            replacement.withLock { present in
                guard present === context else { return nil }
                present = nil
                return context
            }
        }
    }

    /// What begins a pass of news: of the context that is bound to the task, or else of the process's,
    /// whichever that is.
    static func news<Element: Sendable>(
        _ open: @escaping @Sendable (SignedPurchases) -> AsyncStream<Element>
    ) -> @Sendable () -> Pass<Element> {
        if let bound { return { Pass(news: open(bound.signedPurchases)) } }
        return {
            // Without a store, a test's session may still bring one.
            if replacement.withLock({ $0 }) == nil, case .success(_?) = own.configuration {
                return Pass(news: open(own.signedPurchases))
            }
            return Pass(moving: ProcessAudience.stream(open) { replacement.withLock { $0 } })
        }
    }

    /// Removes an observer of the process from where it went on to.
    static func forget(_ observer: any SKPaymentTransactionObserver) {
        ProcessAudience.forget(observer, from: replacement.withLock { $0 })
    }

    /// Where the process's observers are while no session is there.
    static var withoutSession: StoreContext { own }

    private let isEnded: Ending
    private let lanes: Lanes
    private let settings: Once<Settings>
    private let engines: Once<QueueEngine>
    private let queues: Once<SKPaymentQueue>
    private let purchases: Once<SignedPurchases>
    private let keyValueProcesses: Once<KeyValueProcess>
    private let keyValueStores: Once<NSUbiquitousKeyValueStore>
    private let resourceEngines: Once<ResourceEngine>
    private let promotionControllers: Once<SKProductStorePromotionController>
    /// Requests for products under way, which may register the device.
    private let productsRequests = DispatchGroup()

    /// Nothing is read before it is needed.
    ///
    /// - Parameter objection: Why nothing may be begun now; nil when it may.
    init(
        lanes: Lanes = Lanes(), objection: @escaping @Sendable () -> FailureReason? = { nil },
        read: @escaping @Sendable () -> Settings
    ) {
        let isEnded = Ending()
        self.isEnded = isEnded
        self.lanes = lanes
        let objection: @Sendable () -> FailureReason? = { isEnded.reason ?? objection() }
        let settings = Once(read)
        self.settings = settings
        // Everything is made by the context, which it must not keep alive.
        let box = WeakContext()
        let engines = Once {
            QueueEngine(
                parts: Self.parts(settings.get()), calls: box.calls, lanes: lanes,
                objection: objection)
        }
        self.engines = engines
        queues = Once { SKPaymentQueue(engine: engines.get()) }
        purchases = Once { SignedPurchases(engine: engines.get()) }
        let processes = Once { KeyValueProcess(of: engines.get(), from: box) }
        keyValueProcesses = processes
        keyValueStores = Once { NSUbiquitousKeyValueStore(process: processes.get()) }
        resourceEngines = Once { ResourceEngine(of: engines.get()) }
        promotionControllers = Once {
            SKProductStorePromotionController(
                promotions: StorePromotions(lanes: lanes) { engines.get().usable },
                in: { box.value })
        }
        box.context.withLock { $0.context = self }
    }

    /// A device of a test, which shares a few threads with others.
    ///
    /// - Parameters:
    ///   - variables: What an app's environment would say.
    ///   - ending: The sentence that the app gets after `end()`.
    package convenience init(variables: [String: String], ending: String) {
        self.init(lanes: .next()) { StoreConfiguration.read(variables) }
        isEnded.sentence.withLock { $0 = ending }
    }

    /// Signs in the account of the settings, as the sheet would at the first payment; the reason when
    /// that is not possible. Waits for the store.
    package func signIn() -> String? {
        do throws(FailureReason) {
            let connection = try engine.usable.get().connection
            guard let account = connection.configuration.account else { return nil }
            do throws(StoreFailure) {
                try connection.signIn(account)
            } catch {
                return error.sentence
            }
        } catch {
            return error.sentence
        }
        return nil
    }

    /// Ends it, for good: nothing can be begun, observers hear nothing, and key values are kept in
    /// memory only.
    ///
    /// Calls to the store are cancelled, and what is under way is waited for: nothing is written into
    /// its home afterwards.
    package func end() {
        isEnded.isSo.store(true, ordering: .sequentiallyConsistent)
        keyValueProcesses.made?.end()
        engines.made?.end()
        resourceEngines.made?.end(saying: isEnded.sentence.withLock { $0 })
        productsRequests.wait()
    }

    var configuration: Settings { settings.get() }
    var engine: QueueEngine { engines.get() }
    var queue: SKPaymentQueue { queues.get() }
    var signedPurchases: SignedPurchases { purchases.get() }
    var keyValues: KeyValueProcess { keyValueProcesses.get() }
    var keyValueStore: NSUbiquitousKeyValueStore { keyValueStores.get() }
    var resources: ResourceEngine { resourceEngines.get() }
    var promotionController: SKProductStorePromotionController { promotionControllers.get() }

    /// This device's settings for promoted products.
    var promotions: StorePromotions {
        StorePromotions(lanes: lanes) { [engines] in engines.get().usable }
    }

    /// Asks the store for products, with a test's own client or this context's. Waits for the store.
    func products(
        _ identifiers: Set<String>, with client: ProductsClient? = nil
    ) -> Result<SKProductsResponse, SKError> {
        // Before it is looked whether this context has ended.
        productsRequests.enter()
        defer { productsRequests.leave() }
        return (client ?? productsClient).products(identifiers)
    }

    private var productsClient: ProductsClient {
        ProductsClient(
            connection: engine.usable.map(\.connection).mapError {
                FailureReason(.unknown, $0.sentence)
            }, retries: .standard)
    }

    /// The receipt's address, even before there is a file; without a store it points into the app's
    /// own folder, where StoreKit writes nothing.
    var receiptURL: URL {
        guard case .success(let configuration?) = configuration else {
            return URL(
                fileURLWithPath: HomeFolder.receiptFile(
                    home: Bundle.main.bundlePath, isSandbox: false))
        }
        return URL(fileURLWithPath: configuration.receiptPath)
    }

    /// Adds an observer of the process.
    func add(_ observer: any SKPaymentTransactionObserver) {
        // The queue that observers are called with.
        _ = queue
        engine.add(observer, isOfProcess: true)
    }

    /// Removes an observer.
    func remove(_ observer: any SKPaymentTransactionObserver) {
        guard let engine = engines.made else { return }
        if engine.board.observers.remove(observer) { engine.audienceLeft() }
    }

    /// Removes the observers of the process, and gives them.
    func takeProcessObservers() -> [any SKPaymentTransactionObserver] {
        guard let engine = engines.made else { return [] }
        defer { engine.audienceLeft() }
        return engine.board.observers.takeOfProcess()
    }

    /// Runs a body, and tasks created in it, in this context.
    func bind(_ body: () -> Void) {
        Self.$bound.withValue(self, operation: body)
    }

    /// The same for a body that waits.
    package func run<Answer>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        try await Self.$bound.withValue(self, operation: body)
    }

    private static func parts(_ settings: Settings) -> Result<QueueEngine.Parts, FailureReason> {
        let parts: Result<QueueEngine.Parts, FailureReason> =
            switch settings {
            case .failure(let problem):
                .failure(FailureReason(.paymentNotAllowed, problem.sentence))
            case .success(nil):
                .failure(
                    FailureReason(
                        .paymentNotAllowed,
                        "No store is configured, so nothing can be bought. Set STOREKIT_URL to a "
                            + "store's address, such as http://127.0.0.1:8080/sandbox."))
            case .success(let configuration?): QueueEngine.Parts.make(configuration)
            }
        if case .failure(let reason) = parts { Diagnostic.sayOnce(reason.sentence) }
        return parts
    }
}

/// Whether a context has ended, and what its app is told then.
private final class Ending: Sendable {
    let isSo = Atomic(false)
    let sentence = Mutex("")

    var reason: FailureReason? {
        guard isSo.load(ordering: .sequentiallyConsistent) else { return nil }
        return FailureReason(.paymentNotAllowed, sentence.withLock { $0 })
    }
}

/// A context, as its own parts know it.
final class WeakContext: Sendable {
    struct Reference {
        weak var context: StoreContext?
    }

    fileprivate let context = Mutex(Reference())

    /// Nil when it is gone.
    var value: StoreContext? { context.withLock { $0.context } }

    var calls: AppCalls { AppCalls(in: { [self] in value }) }
}

extension QueueEngine.Parts {
    /// The real parts for a configuration.
    static func make(_ configuration: StoreConfiguration) -> Result<Self, FailureReason> {
        do {
            if let roots = configuration.roots { _ = try PEMCertificates.read(roots) }
            let home = try HomeFolder(path: configuration.home)
            let connection = StoreConnection(configuration: configuration, home: home)
            return .success(
                Self(
                    connection: connection, home: home, sheet: sheet(configuration),
                    retries: .standard))
        } catch let problem as PEMCertificates.Problem {
            return .failure(
                FailureReason(.paymentNotAllowed, "STOREKIT_ROOTS cannot be used: \(problem)."))
        } catch {
            return .failure(
                FailureReason(
                    .paymentNotAllowed, "STOREKIT_HOME cannot be used: \(error)."))
        }
    }

    private static func sheet(_ configuration: StoreConfiguration) -> any PaymentSheet {
        switch configuration.sheet {
        case .terminal: TerminalSheet(suggestedAccount: configuration.account?.name)
        case .approve:
            AutomaticSheet(account: configuration.account, offerCode: configuration.offerCode)
        case .cancel: CancellingSheet()
        }
    }
}

extension WallClock {
    /// The machine's clock.
    static let system = WallClock {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}
