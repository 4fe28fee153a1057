import CStoreKit
import Foundation

/// What the app sees of a transaction.
enum PresentedState: Hashable, Sendable {
    /// The store's details of a purchase.
    struct Purchase: Hashable, Sendable {
        let transactionIdentifier: String
        let date: Date
        /// The purchase's own receipt, once known.
        var receipt: OwnReceipt?
    }

    /// The purchase behind a restored transaction.
    struct Original: Hashable, Sendable {
        let payment: PaymentContents
        let purchase: Purchase
    }

    case purchasing
    case deferred
    case purchased(Purchase)
    case failed(FailureReason)
    case restored(Purchase, of: Original)

    var state: SKPaymentTransactionState {
        switch self {
        case .purchasing: .purchasing
        case .deferred: .deferred
        case .purchased: .purchased
        case .failed: .failed
        case .restored: .restored
        }
    }

    var purchase: Purchase? {
        switch self {
        case .purchased(let purchase), .restored(let purchase, _): purchase
        case .purchasing, .deferred, .failed: nil
        }
    }

    var original: Original? {
        guard case .restored(_, let original) = self else { return nil }
        return original
    }

    /// The same with the purchase's own receipt.
    func with(receipt: OwnReceipt) -> PresentedState {
        guard var purchase else { return self }
        purchase.receipt = receipt
        return original.map { .restored(purchase, of: $0) } ?? .purchased(purchase)
    }
}

/// What the app sees of a download.
struct PresentedDownload: Hashable, Sendable {
    var state = SKDownloadState.waiting
    var contentIdentifier = ""
    var contentVersion = ""
    var expectedContentLength: Int64 = 0
    /// From 0 to 1.
    var progress: Float = 0
    /// In seconds.
    var timeRemaining: TimeInterval = SKDownloadTimeRemainingUnknown
    /// The content's location; set when it is finished.
    var contentURL: URL?
    /// Why it failed; set in that state only.
    var failure: FailureReason?
}
