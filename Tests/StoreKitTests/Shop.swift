import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// A fake store, a home folder and as many launches of an app as a test wants.
final class Shop {
    static let fuel = "com.example.rocketcar.fuel"
    static let turbo = "com.example.rocketcar.turbo"

    let store: FakeStore
    private let folder: TemporaryFolder
    var home: String { folder.file("home") }
    /// What lives as long as the shop: nobody else holds an observer.
    private var kept: [AnyObject] = []

    /// With another shop, a fresh store that the same installation meets.
    init(afterwards other: Shop) throws {
        store = try FakeStore()
        folder = other.folder
    }

    init() throws {
        store = try FakeStore()
        folder = TemporaryFolder()
    }

    deinit { kept = [] }

    func settings(url: String? = nil, version: String = "1.0", account: String = "ada") -> [String:
        String]
    {
        [
            "STOREKIT_URL": url ?? store.url, "STOREKIT_BUNDLE_ID": "com.example.rocketcar",
            "STOREKIT_APP_VERSION": version, "STOREKIT_HOME": home,
            "STOREKIT_SHEET": "approve", "STOREKIT_ACCOUNT": "\(account):\(FakeStore.password)",
        ]
    }

    var configuration: StoreConfiguration {
        get throws {
            try #require(try StoreConfiguration.read(settings()).get())
        }
    }

    /// A queue as a new process would have it, on the same home folder.
    func launch(
        sheet: (any PaymentSheet)? = nil, version: String = "1.0",
        retries: Retries = Retries(delaysMilliseconds: [20, 40]), account: String = "ada",
        extra: [String: String] = [:]
    ) throws -> App {
        let settings = settings(version: version, account: account).merging(extra) { $1 }
        let configuration = try #require(try StoreConfiguration.read(settings).get())
        let folder = try HomeFolder(path: home)
        let parts = QueueEngine.Parts(
            connection: StoreConnection(configuration: configuration, home: folder),
            home: folder, sheet: sheet ?? AutomaticSheet(account: configuration.account),
            retries: retries)
        return App(parts: .success(parts), home: home)
    }

    func keep(_ object: AnyObject) { kept.append(object) }

    var journalFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: home + "/journal")) ?? []).sorted()
    }

    /// Waits until something holds, for two minutes at most.
    func sees(
        _ what: String, _ isSo: () -> Bool, location: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<12_000 {
            if isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("never saw \(what)", sourceLocation: location)
    }

    /// Leaves an approved payment in the journal, as a process does that ends.
    func leaveBehind(_ attemptId: String) throws {
        let home = try HomeFolder(path: self.home)
        let record = try #require(try home.load(DeviceRecord.self, from: home.deviceFile))
        try Journal(home: home).write(
            AttemptRecord(
                attemptId: attemptId, scope: try configuration.scope,
                worldId: store.worldId, deviceGuid: record.guid, madeAtMilliseconds: 1,
                productId: Shop.turbo, quantity: 1, applicationUsername: nil, requestData: nil,
                simulatesAskToBuyInSandbox: false, stage: .approved(account: "ada"),
                owner: try ended()))
    }

    /// The name of a process that has ended.
    private func ended() throws -> ProcessName {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["600"]
        try process.run()
        let name = try #require(ProcessName(of: process.processIdentifier))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return name
    }

    var receipt: String? {
        try? String(contentsOfFile: home + "/StoreKit/sandboxReceipt", encoding: .utf8)
    }
}

/// One launch of an app: a queue and an observer that writes down what it hears.
final class App: Sendable {
    let engine: QueueEngine
    let queue: SKPaymentQueue
    let observer: Ear

    init(parts: Result<QueueEngine.Parts, FailureReason>, home: String = "") {
        engine = QueueEngine(parts: parts)
        queue = SKPaymentQueue(engine: engine)
        observer = Ear(receiptPath: home + "/StoreKit/sandboxReceipt")
    }

    deinit {
        queue.remove(observer)
    }

    func start() -> App {
        queue.add(observer)
        return self
    }

    func buy(_ product: String, quantity: Int = 1) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.quantity = quantity
        queue.add(payment)
    }

    /// Waits until what the observer heard passes, for two minutes at most.
    func hears(
        _ what: String = "", _ isEnough: (Ear.Heard) -> Bool,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<12_000 {
            if isEnough(observer.heard) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("never heard \(what); heard \(observer.heard)", sourceLocation: location)
    }

    /// Time for what should not happen to happen all the same: as much as another installation, at
    /// a store of its own, takes to buy something and to hear of what was bought elsewhere; and, if
    /// that is asked for, of what another process left behind, which is looked for now and then.
    func quiet(looksAtHome: Bool = false) async throws {
        let other = try Shop()
        let app = try other.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("the purchase") { $0.purchased.count == 1 }
        other.store.buyElsewhere(Shop.turbo)
        try await app.hears("the news") { $0.purchased.count == 2 }
        if looksAtHome {
            try other.leaveBehind("A")
            try await app.hears("what was left") { $0.purchased.count == 3 }
        }
        app.queue.remove(app.observer)
    }
}

/// An observer that writes down what it hears.
final class Ear: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Heard: Sendable {
        var calls: [[String]] = []
        var purchased: [String] = []
        var failed: [SKError] = []
        var removed: [String] = []
        var receipts: [String?] = []
        var transactionReceipts: [String?] = []
        var transactions: [SKPaymentTransaction] = []
        var storefrontChanges = 0
        var wasOffMain = false
        /// Restored transactions, and what was in their own receipts when they were told.
        var restored: [SKPaymentTransaction] = []
        var restoredReceipts: [String?] = []
        /// How each restore ended, and how many had been restored by then.
        var restoreEnds: [RestoreEnd] = []
    }

    struct RestoreEnd: Equatable, Sendable {
        /// Nil when it finished.
        let code: SKError.Code?
        let restoredCount: Int
    }

    private let state = Mutex(Heard())
    private let receiptPath: String

    init(receiptPath: String) {
        self.receiptPath = receiptPath
    }

    var heard: Heard { state.withLock { $0 } }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        let isMain = MainQueue.isCurrent
        state.withLock { heard in
            heard.wasOffMain = heard.wasOffMain || !isMain
            heard.calls.append(transactions.map { "\($0.transactionState.rawValue)" })
            for transaction in transactions {
                if transaction.transactionState == .purchased {
                    heard.purchased.append(transaction.transactionIdentifier ?? "nil")
                    heard.transactionReceipts.append(
                        transaction.transactionReceipt.map {
                            String(decoding: $0, as: UTF8.self)
                        })
                    heard.receipts.append(
                        try? String(contentsOfFile: receiptPath, encoding: .utf8))
                }
                if transaction.transactionState == .restored {
                    heard.restored.append(transaction)
                    heard.restoredReceipts.append(
                        transaction.transactionReceipt.map {
                            String(decoding: $0, as: UTF8.self)
                        })
                }
                if let error = transaction.error as? SKError { heard.failed.append(error) }
                if transaction.transactionState != .purchasing {
                    heard.transactions.append(transaction)
                }
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        state.withLock { heard in
            heard.removed += transactions.map { $0.transactionIdentifier ?? "none" }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        end(nil)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        end((error as? SKError)?.code ?? .overlayTimeout)
    }

    private func end(_ code: SKError.Code?) {
        let isMain = MainQueue.isCurrent
        state.withLock { heard in
            heard.wasOffMain = heard.wasOffMain || !isMain
            heard.restoreEnds.append(
                RestoreEnd(code: code, restoredCount: heard.restored.count))
        }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        state.withLock { $0.storefrontChanges += 1 }
    }
}
