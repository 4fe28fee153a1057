import Foundation
import StoreKit
import Synchronization

/// An observer that writes down what it hears of downloads, and starts them when it is told to.
final class DownloadEar: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Heard: Sendable {
        var states: [SKDownloadState] = []
        var progress: [Float] = []
        var downloads: [SKDownload] = []
        var transactions: [SKPaymentTransaction] = []
        var removedCount = 0
        var contentPaths: [String] = []
        var wasOffMain = false
        /// What the transaction brought when it was told.
        var countsAtFirst: [Int] = []

        /// The states without repetitions.
        var path: [SKDownloadState] {
            states.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
    }

    private let state = Mutex(Heard())
    private let starts: Bool

    init(starts: Bool) {
        self.starts = starts
    }

    var heard: Heard { state.withLock { $0 } }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            state.withLock {
                $0.transactions.append(transaction)
                $0.countsAtFirst.append(transaction.downloads.count)
                $0.downloads += transaction.downloads
            }
            if starts { queue.start(transaction.downloads) }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        state.withLock { $0.removedCount += transactions.count }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        let isMain = MainQueue.isCurrent
        state.withLock { heard in
            heard.wasOffMain = heard.wasOffMain || !isMain
            heard.states += downloads.map(\.state)
            heard.progress += downloads.map(\.progress)
            heard.contentPaths += downloads.compactMap { $0.contentURL?.path }
        }
    }
}
