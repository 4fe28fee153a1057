import Dispatch
import Synchronization

/// The transactions as the app sees them, and the calls to its observers: everything here
/// happens on the main thread, in the order it was asked for.
final class TransactionBoard: Sendable {
    fileprivate struct State {
        var objects: [QueueKey: (number: Int, transaction: SKPaymentTransaction)] = [:]
        var count = 0
        /// Changes that no observer was there to hear.
        var untold: [QueueKey] = []
    }

    private let state = Mutex(State())
    let observers = ObserverList()

    /// All transactions, oldest first.
    var transactions: [SKPaymentTransaction] {
        state.withLock { state in
            state.objects.values.sorted { $0.number < $1.number }.map(\.transaction)
        }
    }

    func tell(_ news: [QueueAction.Told], queue: SKPaymentQueue?) {
        DispatchQueue.main.async { [self, weak queue] in
            let changed = news.map { told in
                let transaction = state.withLock { $0.object(for: told) }
                transaction.change(to: told.face)
                return transaction
            }
            let present = observers.observers
            guard let queue, !present.isEmpty else {
                let keys = news.map(\.key)
                return state.withLock { state in
                    state.untold += keys.filter { !state.untold.contains($0) }
                }
            }
            for observer in present {
                observer.paymentQueue(queue, updatedTransactions: changed)
            }
        }
    }

    /// Tells what happened while nobody listened.
    func tellUntold(queue: SKPaymentQueue?) {
        DispatchQueue.main.async { [self, weak queue] in
            let present = observers.observers
            guard let queue, !present.isEmpty else { return }
            let changed = state.withLock { state in
                let keys = state.untold
                state.untold = []
                return keys.compactMap { state.objects[$0]?.transaction }
            }
            guard !changed.isEmpty else { return }
            for observer in present {
                observer.paymentQueue(queue, updatedTransactions: changed)
            }
        }
    }

    func tellRemoved(_ keys: [QueueKey], queue: SKPaymentQueue?) {
        DispatchQueue.main.async { [self, weak queue] in
            let removed = state.withLock { state in
                state.untold.removeAll { keys.contains($0) }
                return keys.compactMap { state.objects.removeValue(forKey: $0)?.transaction }
            }
            guard let queue, !removed.isEmpty else { return }
            for observer in observers.observers {
                observer.paymentQueue(queue, removedTransactions: removed)
            }
        }
    }

    func tellStorefrontChanged(queue: SKPaymentQueue?) {
        DispatchQueue.main.async { [self, weak queue] in
            guard let queue else { return }
            for observer in observers.observers {
                observer.paymentQueueDidChangeStorefront(queue)
            }
        }
    }

    func transaction(_ key: QueueKey) -> SKPaymentTransaction? {
        state.withLock { $0.objects[key]?.transaction }
    }
}

extension TransactionBoard.State {
    fileprivate mutating func object(for told: QueueAction.Told) -> SKPaymentTransaction {
        if let known = objects[told.key] { return known.transaction }
        let transaction = SKPaymentTransaction(
            key: told.key, payment: told.payment, face: told.face)
        objects[told.key] = (count, transaction)
        count += 1
        return transaction
    }
}
