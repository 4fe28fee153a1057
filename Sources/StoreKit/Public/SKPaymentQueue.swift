public import Foundation
import StoreModel
import Synchronization

/// The queue of payments between an app and the store.
///
/// An app adds an observer at launch, adds payments, delivers what its observer hears of, and
/// finishes each transaction when all is delivered. What is not finished comes back at every
/// launch. Observers are called on the main thread, so the main run loop must run.
///
/// ```swift
/// final class Shop {
///     private let observer = PurchaseObserver()
///
///     /// At launch, before anything else.
///     func open() {
///         SKPaymentQueue.default().add(observer)
///     }
///
///     func buy(_ product: SKProduct) {
///         guard SKPaymentQueue.canMakePayments() else { return }
///         SKPaymentQueue.default().add(SKPayment(product: product))
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skpaymentqueue>
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    private struct DelegateBox: ~Copyable {
        weak var delegate: (any SKPaymentQueueDelegate)?
    }

    private static let shared = SKPaymentQueue(engine: StoreKitProcess.shared.engine)

    private let engine: QueueEngine
    private let delegateBox = Mutex(DelegateBox())

    /// A queue that shows the process's own, for tests that override what they need. Observers
    /// hear from `default()`; from this one when `default()` was never asked for.
    public override init() {
        engine = StoreKitProcess.shared.engine
        super.init()
        engine.attachIfAlone(self)
    }

    init(engine: QueueEngine) {
        self.engine = engine
        super.init()
        engine.attach(self)
    }

    /// The queue of this app.
    open class func `default`() -> Self {
        guard let queue = shared as? Self else {
            fatalError("SKPaymentQueue.default() is asked of a subclass: make one")
        }
        return queue
    }

    /// Whether this app may buy: whether a store is configured, and purchases are not switched
    /// off on the device.
    open class func canMakePayments() -> Bool { StoreKitProcess.shared.engine.mayPay }

    /// Decides what the queue asks of the app; not retained.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { delegateBox.withLock { UncheckedBox($0.delegate) }.value }
        set {
            let box = UncheckedBox(newValue)
            delegateBox.withLock { $0.delegate = box.value }
        }
    }

    /// Where the account buys; nil until the store was asked for the first time.
    open var storefront: SKStorefront? {
        guard case .success(let parts) = engine.parts, let session = parts.connection.session
        else { return nil }
        return SKStorefront(
            countryCode: session.countryCode, identifier: session.storefrontIdentifier)
    }

    /// The transactions that are not finished, as observers were told of them.
    open var transactions: [SKPaymentTransaction] {
        engine.board.observers.isEmpty ? [] : engine.board.transactions
    }

    /// The observers, in the order they were added.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        engine.board.observers.observers
    }

    /// Begins a purchase and returns at once. The payment is copied; adding the same one twice is
    /// two purchases.
    ///
    /// A payment without a product or with a quantity below 1 is a mistake of the app and ends
    /// it, as Apple's exception does.
    open func add(_ payment: SKPayment) {
        let contents = PaymentContents(payment)
        // A precondition says nothing in a release build.
        if contents.productIdentifier.isEmpty {
            fatalError("Invalid payment: its productIdentifier is empty.")
        }
        if contents.quantity < 1 {
            fatalError(
                "Invalid payment: its quantity is \(contents.quantity), and must be at least 1.")
        }
        engine.handle(
            .paymentAdded(
                attemptId: UUID().uuidString, contents,
                atMilliseconds: engine.clock.now().milliseconds))
    }

    /// Takes a transaction off the queue, once the app has delivered or recorded it; purchased
    /// and failed ones alike. Finishing again does nothing.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        switch transaction.transactionState {
        case .purchasing:
            fatalError("Cannot finish a purchasing transaction")
        case .deferred:
            fatalError("Cannot finish a deferred transaction")
        default: break
        }
        guard let key = transaction.key else { return }
        engine.handle(.finishCalled(key))
    }

    /// Adds an observer, which is not retained. The first one starts the queue.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        if engine.board.observers.add(observer) { engine.observerArrived() }
    }

    /// Takes an observer away. Without any, the store is not talked to.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        if engine.board.observers.remove(observer) { engine.observersLeft() }
    }

    // MARK: - Restoring

    /// Asks for everything that the account owns; observers are told how that ended.
    open func restoreCompletedTransactions() {
        engine.restore(applicationUsername: nil)
    }

    /// The same, for what was bought under one of the app's own user names.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        engine.restore(applicationUsername: username)
    }

    // MARK: - Downloads

    /// Begins to download what the store keeps for a purchase.
    open func start(_ downloads: [SKDownload]) {
        engine.startDownloads(downloads)
    }

    /// Stops downloads, to go on with them later.
    open func pause(_ downloads: [SKDownload]) {
        engine.pauseDownloads(downloads)
    }

    /// Goes on with downloads that were stopped.
    open func resume(_ downloads: [SKDownload]) {
        engine.resumeDownloads(downloads)
    }

    /// Ends downloads and drops what they have brought.
    open func cancel(_ downloads: [SKDownload]) {
        engine.cancelDownloads(downloads)
    }

    // MARK: - Sheets of the system

    /// Asks the person about a new price that the delegate or they themselves put off. Does nothing
    /// when none waits for an answer.
    open func showPriceConsentIfNeeded() {
        engine.showPriceConsent()
    }

    /// Lets the person redeem an offer code.
    open func presentCodeRedemptionSheet() {
        engine.presentCodeRedemption()
    }
}
