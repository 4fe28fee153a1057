import Foundation
import StoreKit

/// What this code needs of a queue, so that tests can put a spy in its place.
public protocol PaymentQueue: AnyObject {
    func add(_ observer: SKPaymentTransactionObserver)
    func remove(_ observer: SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func start(_ downloads: [SKDownload])
    func pause(_ downloads: [SKDownload])
    func resume(_ downloads: [SKDownload])
    func cancel(_ downloads: [SKDownload])
    func restoreCompletedTransactions(withApplicationUsername username: String?)
    func finishTransaction(_ transaction: SKPaymentTransaction)
}

extension SKPaymentQueue: PaymentQueue {}

extension SKPaymentTransaction {
    public var summary: String {
        let number = transactionIdentifier ?? "null"
        return "\(payment.productIdentifier) \(number) \(transactionState.debugDescription)"
    }
}

extension SKPaymentTransactionState: @retroactive CustomDebugStringConvertible {
    public var debugDescription: String {
        switch self {
        case .purchasing: return "purchasing"
        case .purchased: return "purchased"
        case .failed: return "failed"
        case .restored: return "restored"
        case .deferred: return "deferred"
        @unknown default: return "default"
        }
    }
}

public struct Purchase {
    public let productId: String
    public let quantity: Int
    public let transaction: SKPaymentTransaction
    public let originalTransaction: SKPaymentTransaction?
    public let needsFinishTransaction: Bool
}

public enum TransactionResult {
    case purchased(Purchase)
    case restored(Purchase)
    case deferred(Purchase)
    case failed(SKError)
}

/// A payment that waits for its transaction.
public struct WaitingPayment: Hashable {
    public let product: SKProduct
    public let atomically: Bool
    public let callback: (TransactionResult) -> Void

    public func hash(into hasher: inout Hasher) {
        hasher.combine(product)
    }

    public static func == (left: WaitingPayment, right: WaitingPayment) -> Bool {
        return left.product.productIdentifier == right.product.productIdentifier
    }
}

public class PaymentQueueController: NSObject, SKPaymentTransactionObserver {
    private var payments: [WaitingPayment] = []
    private var restoreCallback: (([Purchase], Error?) -> Void)?
    private var restored: [Purchase] = []
    private var completeCallback: (([Purchase]) -> Void)?
    public var shouldAddStorePayment: ((SKPayment, SKProduct) -> Bool)?
    public var updatedDownloads: (([SKDownload]) -> Void)?

    unowned let paymentQueue: PaymentQueue

    public init(paymentQueue: PaymentQueue = SKPaymentQueue.default()) {
        self.paymentQueue = paymentQueue
        super.init()
        paymentQueue.add(self)
    }

    deinit {
        paymentQueue.remove(self)
    }

    public func startPayment(
        _ product: SKProduct, quantity: Int = 1, atomically: Bool = true, user: String = "",
        simulatesAskToBuyInSandbox: Bool = false, discount: SKPaymentDiscount? = nil,
        callback: @escaping (TransactionResult) -> Void
    ) {
        let payment = SKMutablePayment(product: product)
        payment.applicationUsername = user
        payment.quantity = quantity
        if #available(iOS 12.2, tvOS 12.2, OSX 10.14.4, watchOS 6.2, *) {
            payment.paymentDiscount = discount
        }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(Linux)
            if #available(iOS 8.3, watchOS 6.2, *) {
                payment.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
            }
        #endif
        payments.append(
            WaitingPayment(product: product, atomically: atomically, callback: callback))
        paymentQueue.add(payment)
    }

    public func restorePurchases(
        user: String? = nil, callback: @escaping ([Purchase], Error?) -> Void
    ) {
        if restoreCallback != nil { return }
        restoreCallback = callback
        paymentQueue.restoreCompletedTransactions(withApplicationUsername: user)
    }

    public func completeTransactions(_ callback: @escaping ([Purchase]) -> Void) {
        completeCallback = callback
    }

    public func finishTransaction(_ transaction: SKPaymentTransaction) {
        paymentQueue.finishTransaction(transaction)
    }

    // MARK: SKPaymentTransactionObserver

    public func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        var unhandled = transactions.filter { $0.transactionState != .purchasing }
        unhandled = unhandled.filter { !process($0) }
        unhandled = unhandled.filter { !processRestored($0) }
        let late = unhandled.map { purchase($0, atomically: true) }
        if !late.isEmpty { completeCallback?(late) }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {}

    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error
    ) {
        endRestore(error)
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        endRestore(nil)
    }

    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        updatedDownloads?(downloads)
    }

    #if !os(watchOS)
        public func paymentQueue(
            _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment,
            for product: SKProduct
        ) -> Bool {
            return shouldAddStorePayment?(payment, product) ?? false
        }
    #endif

    // MARK: Private

    private func process(_ transaction: SKPaymentTransaction) -> Bool {
        let identifier = transaction.payment.productIdentifier
        guard
            let index = payments.firstIndex(where: { $0.product.productIdentifier == identifier })
        else { return false }
        let payment = payments[index]
        switch transaction.transactionState {
        case .purchased:
            payment.callback(.purchased(purchase(transaction, atomically: payment.atomically)))
        case .failed:
            payment.callback(.failed(storeKitError(transaction.error as NSError?)))
            paymentQueue.finishTransaction(transaction)
        case .restored:
            payment.callback(.restored(purchase(transaction, atomically: payment.atomically)))
        case .deferred:
            payment.callback(.deferred(purchase(transaction, atomically: false)))
            return true
        default:
            return false
        }
        payments.remove(at: index)
        return true
    }

    private func processRestored(_ transaction: SKPaymentTransaction) -> Bool {
        guard transaction.transactionState == .restored, restoreCallback != nil else {
            return false
        }
        restored.append(purchase(transaction, atomically: true))
        return true
    }

    private func endRestore(_ error: Error?) {
        let callback = restoreCallback
        restoreCallback = nil
        callback?(restored, error)
        restored.removeAll()
    }

    private func purchase(_ transaction: SKPaymentTransaction, atomically: Bool) -> Purchase {
        let isFinal = transaction.transactionState != .deferred
        if atomically && isFinal { paymentQueue.finishTransaction(transaction) }
        return Purchase(
            productId: transaction.payment.productIdentifier,
            quantity: transaction.payment.quantity, transaction: transaction,
            originalTransaction: transaction.original, needsFinishTransaction: !atomically)
    }

    func storeKitError(_ error: NSError?) -> SKError {
        let message = "Unknown error"
        let other = NSError(
            domain: SKErrorDomain, code: SKError.unknown.rawValue,
            userInfo: [NSLocalizedDescriptionKey: message])
        return SKError(_nsError: error ?? other)
    }
}
