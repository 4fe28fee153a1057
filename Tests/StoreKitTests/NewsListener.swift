import Foundation
import StoreModel
import StoreWire
import Synchronization

@testable import StoreKit

/// An observer that notes what no purchase is, and a delegate that answers as it is told.
final class NewsListener: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, Sendable {
    struct Heard: Sendable {
        var revoked: [[String]] = []
        /// What the receipt file held then.
        var receipts: [String?] = []
        var storefrontChanges = 0
        var asked: [String] = []
        var offered: [String] = []
    }

    let heard = Mutex(Heard())
    let receiptPath: String
    let goesOn: Bool
    let takesOffers: Bool

    init(_ shop: Shop, goesOn: Bool = true, takesOffers: Bool = false) {
        receiptPath = shop.home + "/StoreKit/sandboxReceipt"
        self.goesOn = goesOn
        self.takesOffers = takesOffers
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}

    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        heard.withLock {
            $0.revoked.append(productIdentifiers)
            $0.receipts.append(try? String(contentsOfFile: receiptPath, encoding: .utf8))
        }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        heard.withLock { $0.storefrontChanges += 1 }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment,
        for product: SKProduct
    ) -> Bool {
        heard.withLock { $0.offered.append(payment.productIdentifier) }
        return takesOffers && product.productIdentifier == payment.productIdentifier
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        heard.withLock {
            $0.asked.append(
                transaction.payment.productIdentifier + " " + newStorefront.countryCode)
        }
        return goesOn
    }
}

extension Shop {
    /// What the owner does at the store comes as its next update.
    func happen(
        _ kind: UpdateBody.Kind, _ transaction: TransactionBody? = nil, subject: String? = nil
    ) {
        store.state.withLock { state in
            state.revision += 1
            state.events.append(
                UpdateBody(
                    number: Int64(state.events.count + 1), kind: kind, transaction: transaction,
                    subject: subject))
        }
    }
}
