import Synchronization

/// Those for whom an engine runs: the observers of its queue, the sequences that tasks iterate, and
/// the callers who wait for a purchase. Without any, the store is not contacted.
final class Audience: Sendable {
    let observers: ObserverList
    private let listeners = Mutex(0)

    init(observers: ObserverList) {
        self.observers = observers
    }

    var isEmpty: Bool { !hasListeners && observers.isEmpty }

    /// Whether a sequence or a caller is there.
    var hasListeners: Bool { listeners.withLock { $0 > 0 } }

    /// Adds a sequence or a caller.
    func enter() {
        listeners.withLock { $0 += 1 }
    }

    /// Removes one.
    func leave() {
        listeners.withLock { $0 -= 1 }
    }

    /// Whether somebody is there for an action: only observers need a receipt.
    func wants(_ action: QueueAction) -> Bool {
        switch action {
        case .bringReceipt, .bringReceiptWithout: !observers.isEmpty
        default: !isEmpty
        }
    }
}
