public import Foundation
import StoreModel
import Synchronization

/// The queue of payments between an app and the store.
///
/// An app adds an observer at launch, adds payments, delivers the purchases that its observer
/// receives, and finishes each transaction once everything is delivered. Unfinished transactions
/// return at every launch. Observers are called on the main thread, so the main run loop must run.
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

    private let engine: QueueEngine
    private let delegateBox = Mutex(DelegateBox())

    /// A queue that shows the process's own, for tests that override what they need. Observers are
    /// called with `default()`, or with this one if `default()` was never used.
    public override init() {
        engine = StoreContext.current.engine
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
        guard let queue = StoreContext.current.queue as? Self else {
            fatalError("SKPaymentQueue.default() was called on a subclass: create one")
        }
        return queue
    }

    /// Whether this app may buy: a store is configured, and purchases are not switched off on the
    /// device.
    open class func canMakePayments() -> Bool { StoreContext.current.engine.mayPay }

    /// Answers the queue's questions to the app; not retained.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { delegateBox.withLock { UncheckedBox($0.delegate) }.value }
        set {
            let box = UncheckedBox(newValue)
            delegateBox.withLock { $0.delegate = box.value }
        }
    }

    /// The account's storefront; nil until the store has been contacted for the first time.
    open var storefront: SKStorefront? {
        guard case .success(let parts) = engine.parts, let session = parts.connection.session
        else { return nil }
        return SKStorefront(
            countryCode: session.countryCode, identifier: session.storefrontIdentifier)
    }

    /// The unfinished transactions, as last reported to observers.
    open var transactions: [SKPaymentTransaction] {
        engine.audience.observers.isEmpty ? [] : engine.board.transactions
    }

    /// The observers, in the order they were added.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        engine.board.observers.observers
    }

    /// Begins a purchase and returns at once. The payment is copied; adding the same one twice
    /// makes two purchases.
    ///
    /// A payment without a product or with a quantity below 1 is a programming error and ends the
    /// process, as Apple's exception does.
    open func add(_ payment: SKPayment) {
        let contents = PaymentContents(payment)
        // A precondition prints no message in a release build.
        if contents.productIdentifier.isEmpty {
            fatalError("Invalid payment: its productIdentifier is empty.")
        }
        if contents.quantity < 1 {
            fatalError(
                "Invalid payment: its quantity is \(contents.quantity); it must be at least 1.")
        }
        let attemptId = UUID().uuidString
        engine.feed?.callers.begins(attemptId)
        engine.handle(
            .paymentAdded(
                attemptId: attemptId, contents,
                atMilliseconds: engine.clock.now().milliseconds))
    }

    /// Removes a transaction from the queue, once the app has delivered or recorded it; finish both
    /// purchased and failed ones. Finishing again does nothing.
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
        engine.add(observer, isOfProcess: !StoreContext.isBound)
    }

    /// Removes an observer. Without observers, the store is not contacted.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        if engine.board.observers.remove(observer) { engine.audienceLeft() }
        if !StoreContext.isBound { StoreContext.forget(observer) }
    }

    // MARK: - Restoring

    /// Requests everything that the account owns; observers are told how that ended.
    open func restoreCompletedTransactions() {
        engine.restore(applicationUsername: nil)
    }

    /// The same, for purchases made under one of the app's own user names.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        engine.restore(applicationUsername: username)
    }

    // MARK: - Downloads

    /// Begins to download the content that the store keeps for a purchase.
    open func start(_ downloads: [SKDownload]) {
        engine.startDownloads(downloads)
    }

    /// Pauses downloads, to be resumed later.
    open func pause(_ downloads: [SKDownload]) {
        engine.pauseDownloads(downloads)
    }

    /// Resumes paused downloads.
    open func resume(_ downloads: [SKDownload]) {
        engine.resumeDownloads(downloads)
    }

    /// Ends downloads and discards what has arrived.
    open func cancel(_ downloads: [SKDownload]) {
        engine.cancelDownloads(downloads)
    }

    // MARK: - Sheets of the system

    /// Asks the customer about a new price that the delegate or the customer postponed. Does
    /// nothing when no price is waiting for an answer.
    open func showPriceConsentIfNeeded() {
        engine.showPriceConsent()
    }

    /// Lets the customer redeem an offer code.
    open func presentCodeRedemptionSheet() {
        engine.presentCodeRedemption()
    }
}
