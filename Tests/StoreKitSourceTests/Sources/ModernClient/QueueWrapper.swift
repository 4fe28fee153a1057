import StoreKit

/// What a wrapper tells of the queue.
public protocol QueueWrapperDelegate: AnyObject, Sendable {
    func wrapper(_ wrapper: QueueWrapper, updated transaction: SKPaymentTransaction)
    func wrapper(_ wrapper: QueueWrapper, removed transaction: SKPaymentTransaction)
    func wrapper(
        _ wrapper: QueueWrapper, shouldAdd payment: SKPayment, for product: SKProduct
    ) -> Bool
    func wrapper(_ wrapper: QueueWrapper, revoked productIdentifiers: [String])
    func wrapperChangedStorefront(_ wrapper: QueueWrapper)
}

/// The one object of a library that talks to the queue. It observes only while it has a delegate.
open class QueueWrapper: NSObject, @unchecked Sendable {
    public typealias RestoreEnd = @Sendable (Result<Void, any Error>) -> Void

    private let queue: SKPaymentQueue
    private let lock = NSLock()
    private weak var storedDelegate: (any QueueWrapperDelegate)?
    private var restoreEnds: [RestoreEnd] = []

    public init(queue: SKPaymentQueue = .default()) {
        self.queue = queue
        super.init()
        queue.delegate = self
    }

    deinit {
        queue.remove(self)
    }

    open var delegate: (any QueueWrapperDelegate)? {
        get { lock.withLock { storedDelegate } }
        set {
            let had = lock.withLock {
                defer { storedDelegate = newValue }
                return storedDelegate != nil
            }
            switch (had, newValue != nil) {
            case (false, true): queue.add(self)
            case (true, false): queue.remove(self)
            default: break
            }
        }
    }

    open var currentStorefront: SKStorefront? { queue.storefront }

    open func payment(
        for product: SKProduct, discount: SKPaymentDiscount? = nil
    ) -> SKMutablePayment {
        let payment = SKMutablePayment(product: product)
        payment.paymentDiscount = discount
        return payment
    }

    open func add(_ payment: SKPayment) {
        queue.add(payment)
    }

    open func finish(_ transaction: SKPaymentTransaction) {
        guard transaction.transactionState != .purchasing else { return }
        queue.finishTransaction(transaction)
    }

    open func restore(_ end: @escaping RestoreEnd) {
        lock.withLock { restoreEnds.append(end) }
        queue.restoreCompletedTransactions()
    }

    /// The same, to be waited for.
    public func restore() async throws {
        try await withCheckedThrowingContinuation { continuation in
            restore { continuation.resume(with: $0) }
        }
    }

    open func presentCodeRedemptionSheet() {
        queue.presentCodeRedemptionSheet()
    }

    private func endRestore(_ result: Result<Void, any Error>) {
        let ends = lock.withLock {
            defer { restoreEnds = [] }
            return restoreEnds
        }
        for end in ends { end(result) }
    }
}

extension QueueWrapper: SKPaymentQueueDelegate {
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        true
    }

    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        delegate != nil
    }
}

extension QueueWrapper: SKPaymentTransactionObserver {
    public func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions { delegate?.wrapper(self, updated: transaction) }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions { delegate?.wrapper(self, removed: transaction) }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        delegate?.wrapper(self, shouldAdd: payment, for: product) ?? false
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        delegate?.wrapper(self, revoked: productIdentifiers)
    }

    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        delegate?.wrapperChangedStorefront(self)
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        endRestore(.success(()))
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        endRestore(.failure(error))
    }
}
