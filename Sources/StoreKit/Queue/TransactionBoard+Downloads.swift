import Dispatch

// What comes with transactions.
extension TransactionBoard {
    func tellDownloads(_ news: [DownloadNews], queue: SKPaymentQueue?) {
        DispatchQueue.main.async { [self, weak queue] in
            let changed = news.compactMap { one -> SKDownload? in
                let download = transaction(one.key)?.changeDownload(
                    to: one.face, isGone: one.isGone)
                return one.isTold ? download : nil
            }
            guard let queue, !changed.isEmpty else { return }
            for observer in observers.observers {
                observer.paymentQueue(queue, updatedDownloads: changed)
            }
        }
    }
}
