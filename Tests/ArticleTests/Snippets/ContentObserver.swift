import StoreKit

// begin
final class ContentObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            queue.start(transaction.downloads)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads where download.state == .finished {
            guard let content = download.contentURL, move(content) else { continue }
            queue.finishTransaction(download.transaction)
        }
    }
}
// end

extension ContentObserver {
    private func move(_ content: URL) -> Bool {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("content")
        return (try? FileManager.default.moveItem(at: content, to: place)) != nil
    }
}
