import Synchronization

// Downloads of transactions.
extension TransactionBoard {
    func tellDownloads(_ news: [DownloadNews], queue: SKPaymentQueue?) {
        calls.onMain { [self, weak queue] in
            let changed = news.compactMap { one -> SKDownload? in
                let download = transaction(one.key)?.changeDownload(
                    to: one.presented, isGone: one.isGone)
                return one.isTold ? download : nil
            }
            let present = observers.observers
            guard let queue, !present.isEmpty else {
                let keys = news.filter { $0.isTold && !$0.isGone }.map(\.key)
                return untoldDownloads.withLock { untold in
                    untold += keys.filter { !untold.contains($0) }
                }
            }
            for observer in present where !changed.isEmpty {
                observer.paymentQueue(queue, updatedDownloads: changed)
            }
        }
    }

    /// Reports downloads that changed while there was no observer, in their current state; on the
    /// main thread.
    func tellUntoldDownloads(
        _ present: [any SKPaymentTransactionObserver], _ queue: SKPaymentQueue
    ) {
        let keys = untoldDownloads.withLock { untold in
            defer { untold = [] }
            return untold
        }
        let changed = keys.flatMap { transaction($0)?.downloads ?? [] }
        for observer in present where !changed.isEmpty {
            observer.paymentQueue(queue, updatedDownloads: changed)
        }
    }

    /// Forgets changes to downloads of hidden transactions.
    func forgetUntoldDownloads(_ keys: Set<QueueKey>) {
        untoldDownloads.withLock { $0.removeAll { keys.contains($0) } }
    }
}
