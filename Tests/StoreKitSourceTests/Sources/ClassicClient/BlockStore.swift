import Foundation
import StoreKit

public let BlockStoreDidFinish = Notification.Name("BlockStoreDidFinish")
public let BlockStoreDidFail = Notification.Name("BlockStoreDidFail")

extension Notification {
    public var transaction: SKPaymentTransaction? {
        return userInfo?["transaction"] as? SKPaymentTransaction
    }
    public var storeError: Error? {
        return userInfo?["error"] as? Error
    }
}

/// Checks a receipt or a purchase before it counts.
public protocol BlockStoreVerifier: AnyObject {
    func verify(
        _ transaction: SKPaymentTransaction, success: @escaping () -> Void,
        failure: @escaping (Error) -> Void)
}

/// A store of blocks and notifications.
public final class BlockStore: NSObject, SKPaymentTransactionObserver, SKRequestDelegate {
    public typealias Success = (SKPaymentTransaction) -> Void
    public typealias Failure = (SKPaymentTransaction?, Error) -> Void

    private struct Blocks {
        let success: Success
        let failure: Failure
    }

    public weak var verifier: BlockStoreVerifier?
    private let queue: SKPaymentQueue
    private var blocks: [String: [Blocks]] = [:]
    private var restored: [SKPaymentTransaction] = []
    private var restoreBlocks: (([SKPaymentTransaction]) -> Void, (Error) -> Void)?
    private var refresh: SKReceiptRefreshRequest?
    private var refreshBlocks: (() -> Void, (Error) -> Void)?

    public init(queue: SKPaymentQueue = SKPaymentQueue.default()) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    deinit {
        queue.remove(self)
    }

    public func addPayment(
        _ product: SKProduct, user: String? = nil, success: @escaping Success,
        failure: @escaping Failure
    ) {
        let payment = SKMutablePayment(product: product)
        if let user = user { payment.applicationUsername = user }
        blocks[product.productIdentifier, default: []].append(
            Blocks(success: success, failure: failure))
        queue.add(payment)
    }

    public func restoreTransactions(
        ofUser user: String? = nil, success: @escaping ([SKPaymentTransaction]) -> Void,
        failure: @escaping (Error) -> Void
    ) {
        restored = []
        restoreBlocks = (success, failure)
        if let user = user {
            queue.restoreCompletedTransactions(withApplicationUsername: user)
        } else {
            queue.restoreCompletedTransactions()
        }
    }

    public func refreshReceipt(
        success: @escaping () -> Void, failure: @escaping (Error) -> Void
    ) {
        let request = SKReceiptRefreshRequest(receiptProperties: [:])
        request.delegate = self
        refresh = request
        refreshBlocks = (success, failure)
        request.start()
    }

    // MARK: SKRequestDelegate

    public func requestDidFinish(_ request: SKRequest) {
        guard request === refresh else { return }
        refresh = nil
        refreshBlocks?.0()
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        guard request === refresh else { return }
        refresh = nil
        refreshBlocks?.1(error)
    }

    // MARK: SKPaymentTransactionObserver

    public func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored: check(transaction)
            case .failed: finish(transaction, error: transaction.error)
            default: continue
            }
        }
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restoreBlocks?.0(restored)
        restoreBlocks = nil
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error
    ) {
        restoreBlocks?.1(error)
        restoreBlocks = nil
    }

    private func check(_ transaction: SKPaymentTransaction) {
        guard let verifier = verifier else { return finish(transaction, error: nil) }
        verifier.verify(
            transaction, success: { self.finish(transaction, error: nil) },
            failure: { self.finish(transaction, error: $0) })
    }

    private func finish(_ transaction: SKPaymentTransaction, error: Error?) {
        let identifier = transaction.payment.productIdentifier
        let waiting = blocks[identifier]?.isEmpty == false ? blocks[identifier]?.removeFirst() : nil
        var info: [AnyHashable: Any] = ["transaction": transaction]
        if transaction.transactionState == .restored { restored.append(transaction) }
        queue.finishTransaction(transaction)
        if let error = error {
            info["error"] = error
            waiting?.failure(transaction, error)
        } else {
            waiting?.success(transaction)
        }
        NotificationCenter.default.post(
            name: error == nil ? BlockStoreDidFinish : BlockStoreDidFail, object: self,
            userInfo: info)
    }
}
