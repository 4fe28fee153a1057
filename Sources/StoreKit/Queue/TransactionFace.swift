import CStoreKit
import Foundation

/// What the app sees of a transaction.
enum TransactionFace: Hashable, Sendable {
    /// The store's number and date of a purchase.
    struct Purchase: Hashable, Sendable {
        let transactionIdentifier: String
        let date: Date
    }

    case purchasing
    case deferred
    case purchased(Purchase)
    case failed(FailureReason)

    var state: SKPaymentTransactionState {
        switch self {
        case .purchasing: .purchasing
        case .deferred: .deferred
        case .purchased: .purchased
        case .failed: .failed
        }
    }

    var purchase: Purchase? {
        guard case .purchased(let purchase) = self else { return nil }
        return purchase
    }
}
