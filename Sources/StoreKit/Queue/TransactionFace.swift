import CStoreKit
import Foundation

/// What the app sees of a transaction.
enum TransactionFace: Hashable, Sendable {
    /// What the store says of a purchase.
    struct Purchase: Hashable, Sendable {
        let transactionIdentifier: String
        let date: Date
        /// The purchase's own receipt, once it was brought.
        var receipt: Data?
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
