import Synchronization

/// The transactions as the app sees them, and the calls to its observers: everything here happens
/// on the main thread, in the order requested.
final class TransactionBoard: Sendable {
    fileprivate struct State {
        var objects: [QueueKey: (number: Int, transaction: SKPaymentTransaction)] = [:]
        var count = 0
        /// Transactions of accounts that are not signed in.
        var hidden: Set<QueueKey> = []
        /// Changes not yet reported for lack of an observer.
        var untold: [QueueKey] = []
        /// Revocations not yet reported for lack of an observer, and what to do once they are.
        var untoldRevocations: [(products: [String], then: @Sendable () -> Void)] = []
        /// The account's current storefront, and the one last reported to observers.
        var storefront: String?
        var toldStorefront: String?
    }

    private let state = Mutex(State())
    /// Restores that ended without an observer to tell.
    let untoldEnds = Mutex<[FailureReason?]>([])
    /// Transactions whose downloads changed without an observer to tell.
    let untoldDownloads = Mutex<[QueueKey]>([])
    let observers = ObserverList()
    let calls: AppCalls

    init(calls: AppCalls) {
        self.calls = calls
    }

    /// All transactions, oldest first.
    var transactions: [SKPaymentTransaction] {
        state.withLock { state in
            state.objects.filter { !state.hidden.contains($0.key) }.values
                .sorted { $0.number < $1.number }.map(\.transaction)
        }
    }

    func tell(_ news: [QueueAction.Update], queue: SKPaymentQueue?) {
        calls.onMain { [self, weak queue] in
            let changed = news.map { update in
                let transaction = state.withLock { state in
                    state.hidden.remove(update.key)
                    return state.object(for: update)
                }
                transaction.change(to: update.presented)
                if let offer = update.offer, let presented = update.download {
                    transaction.offer(offer.name, presented)
                }
                return transaction
            }
            let present = observers.observers
            guard let queue, !present.isEmpty else {
                return state.withLock { state in
                    let known = Set(state.untold)
                    state.untold += news.map(\.key).filter { !known.contains($0) }
                }
            }
            for observer in present {
                observer.paymentQueue(queue, updatedTransactions: changed)
            }
        }
    }

    /// Reports what happened while there was no observer.
    func tellUntold(queue: SKPaymentQueue?) {
        calls.onMain { [self, weak queue] in
            let present = observers.observers
            guard let queue, !present.isEmpty else { return }
            let changed = state.withLock { state in
                let keys = state.untold
                state.untold = []
                return keys.compactMap { state.objects[$0]?.transaction }
            }
            for observer in present where !changed.isEmpty {
                observer.paymentQueue(queue, updatedTransactions: changed)
            }
            tellUntoldDownloads(present, queue)
            let revocations = state.withLock { state in
                defer { state.untoldRevocations = [] }
                return state.untoldRevocations
            }
            for (products, then) in revocations {
                tellRevoked(products, queue: queue, then: then)
            }
            tellStorefront(to: present, queue)
            tellUntoldEnds(present, queue)
        }
    }

    /// Hides transactions; reporting one shows it again.
    func hide(_ keys: [QueueKey]) {
        calls.onMain { [self] in
            let known = state.withLock { state in
                let known = Set(keys.filter { state.objects[$0] != nil })
                state.hidden.formUnion(known)
                state.untold.removeAll { known.contains($0) }
                return known
            }
            forgetUntoldDownloads(known)
        }
    }

    func tellRemoved(_ keys: [QueueKey], queue: SKPaymentQueue?) {
        calls.onMain { [self, weak queue] in
            let gone = Set(keys)
            forgetUntoldDownloads(gone)
            let removed = state.withLock { state in
                state.untold.removeAll { gone.contains($0) }
                state.hidden.subtract(keys)
                return keys.compactMap { state.objects.removeValue(forKey: $0)?.transaction }
            }
            guard let queue, !removed.isEmpty else { return }
            for observer in observers.observers {
                observer.paymentQueue(queue, removedTransactions: removed)
            }
        }
    }

    /// Records the account's storefront from before the process began.
    func begin(inStorefront identifier: String?) {
        state.withLock { state in
            state.storefront = identifier
            state.toldStorefront = identifier
        }
    }

    /// Tells observers the account's storefront, unless it is the one they were told last: a new
    /// session and the store's news may both bring it. Without observers, the next one is told.
    func tell(storefront identifier: String, queue: SKPaymentQueue?) {
        calls.onMain { [self, weak queue] in
            state.withLock { $0.storefront = identifier }
            let present = observers.observers
            guard let queue, !present.isEmpty else {
                // An observer of the very first storefront has not seen another one.
                return state.withLock { $0.toldStorefront = $0.toldStorefront ?? identifier }
            }
            tellStorefront(to: present, queue)
        }
    }

    private func tellStorefront(
        to present: [any SKPaymentTransactionObserver], _ queue: SKPaymentQueue
    ) {
        let isNew = state.withLock { state in
            defer { state.toldStorefront = state.storefront }
            return state.toldStorefront != state.storefront
        }
        for observer in present where isNew { observer.paymentQueueDidChangeStorefront(queue) }
    }

    /// Reports revocations, now or to the next observer, and then runs the follow-up.
    func tellRevoked(
        _ productIdentifiers: [String], queue: SKPaymentQueue?,
        then: @escaping @Sendable () -> Void
    ) {
        calls.onMain { [self, weak queue] in
            let present = observers.observers
            guard let queue, !present.isEmpty else {
                return state.withLock { $0.untoldRevocations.append((productIdentifiers, then)) }
            }
            for observer in present {
                observer.paymentQueue(
                    queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
            }
            then()
        }
    }

    func transaction(_ key: QueueKey) -> SKPaymentTransaction? {
        state.withLock { $0.objects[key]?.transaction }
    }
}

extension TransactionBoard.State {
    fileprivate mutating func object(for update: QueueAction.Update) -> SKPaymentTransaction {
        if let known = objects[update.key] { return known.transaction }
        let transaction = SKPaymentTransaction(
            key: update.key, payment: update.payment, presented: update.presented)
        objects[update.key] = (count, transaction)
        count += 1
        return transaction
    }
}
