import Dispatch
import StoreModel
import Synchronization

/// What is read once: lists, and single transactions.
extension SignedFeed {
    /// What the device has of the customer who is signed in: as the store has it now, where it
    /// answers; nil when nobody is signed in, and in a task that is cancelled.
    func kept() async -> SignedLibrary.KeptCopy? {
        use()
        if Task.isCancelled { return nil }
        if let customer = connection.customer, isLive(customer) {
            return try? library.kept(of: customer)
        }
        return await onQueue { [self] in
            guard let customer = customer() else { return nil }
            bringUpToDate(customer, millisecondsMax: Self.readerMilliseconds)
            return try? library.kept(of: customer)
        }
    }

    /// What the device has of the customer who is signed in, without asking the store.
    var known: SignedLibrary.KeptCopy? {
        connection.customer.flatMap { try? library.kept(of: $0) }
    }

    /// The same as `kept()`, with a transaction that the store may have sold since.
    func kept(with id: UInt64) async -> SignedLibrary.KeptCopy? {
        let kept = await kept()
        if kept?.copy.entries[id] != nil { return kept }
        return await onQueue { [self] in
            guard let customer = customer() else { return nil }
            bringUpToDate(customer, millisecondsMax: nil)
            return try? library.kept(of: customer)
        }
    }

    /// Runs work that waits for the store or the customer, on the feed's queue or another one; nil at
    /// once in a task that is cancelled. Queues of a test's device take turns on one thread, so none
    /// may wait for another.
    func onQueue<Answer: Sendable>(
        _ other: DispatchQueue? = nil, _ work: @escaping @Sendable () -> Answer?
    ) async -> Answer? {
        let held = OneAnswer<Answer>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                held.hold(continuation)
                (other ?? queue).async { held.resume(held.isOver ? nil : work()) }
            }
        } onCancel: {
            held.resume(nil)
        }
    }

    /// The customer who is signed in; the automatic sheet signs its account in without asking.
    func customer() -> Customer? {
        if let customer = connection.customer { return customer }
        guard let engine = engine.withLock({ $0.engine }), case .success(let parts) = engine.usable
        else { return nil }
        return engine.signInQuietly(parts)
    }
}
