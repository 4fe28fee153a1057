import Synchronization

// The outcome of a restore.
extension TransactionBoard {
    /// Calls the closing method of each observer: finished, or failed for a reason. Without an
    /// observer the call waits for one, like the transactions before it.
    func tellRestoreEnded(_ reason: FailureReason?, queue: SKPaymentQueue?) {
        calls.onMain { [self, weak queue] in
            let present = observers.observers
            guard let queue, !present.isEmpty else {
                return untoldEnds.withLock { $0.append(reason) }
            }
            for observer in present { Self.tell(observer, reason, queue) }
        }
    }

    /// Reports restores that ended while there was no observer; on the main thread.
    func tellUntoldEnds(_ present: [any SKPaymentTransactionObserver], _ queue: SKPaymentQueue) {
        let ends = untoldEnds.withLock { ends in
            defer { ends = [] }
            return ends
        }
        for reason in ends {
            for observer in present { Self.tell(observer, reason, queue) }
        }
    }

    private static func tell(
        _ observer: any SKPaymentTransactionObserver, _ reason: FailureReason?,
        _ queue: SKPaymentQueue
    ) {
        if let reason {
            observer.paymentQueue(
                queue, restoreCompletedTransactionsFailedWithError: reason.error)
        } else {
            observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        }
    }
}
