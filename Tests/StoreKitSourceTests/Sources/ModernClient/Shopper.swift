import StoreKit

/// A model of a shop's screen: all on the main actor, but what the queue calls.
@MainActor
public final class Shopper: NSObject {
    public enum Outcome: Sendable, Equatable {
        case bought(transactionIdentifier: String)
        case waitsForApproval
        case cancelled
    }

    public private(set) var owned: Set<String> = []
    private var waiting: [String: CheckedContinuation<Outcome, any Error>] = [:]
    private let queue: SKPaymentQueue

    public init(queue: SKPaymentQueue) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    public func buy(_ product: SKProduct, for account: UUID? = nil) async throws -> Outcome {
        let payment = SKMutablePayment(product: product)
        payment.applicationUsername = account?.uuidString
        return try await withCheckedThrowingContinuation { continuation in
            waiting[product.productIdentifier] = continuation
            queue.add(payment)
        }
    }

    private func take(_ transaction: SKPaymentTransaction) {
        let identifier = transaction.payment.productIdentifier
        switch transaction.transactionState {
        case .purchasing: return
        case .deferred: end(identifier, .success(.waitsForApproval))
        case .purchased, .restored:
            owned.insert(transaction.original?.payment.productIdentifier ?? identifier)
            queue.finishTransaction(transaction)
            let number = transaction.transactionIdentifier ?? ""
            end(identifier, .success(.bought(transactionIdentifier: number)))
        case .failed:
            queue.finishTransaction(transaction)
            do {
                throw transaction.error ?? SKError(.unknown)
            } catch SKError.paymentCancelled {
                end(identifier, .success(.cancelled))
            } catch {
                end(identifier, .failure(error))
            }
        @unknown default: return
        }
    }

    private func end(_ identifier: String, _ result: Result<Outcome, any Error>) {
        waiting.removeValue(forKey: identifier)?.resume(with: result)
    }
}

extension Shopper: SKPaymentTransactionObserver {
    public nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        MainActor.assumeIsolated {
            for transaction in transactions { take(transaction) }
        }
    }
}
