import Synchronization

/// The observers of a queue, none of them retained.
final class ObserverList: Sendable {
    private final class WeakBox: @unchecked Sendable {
        weak var observer: (any SKPaymentTransactionObserver)?

        init(_ observer: any SKPaymentTransactionObserver) {
            self.observer = observer
        }
    }

    private let boxes = Mutex<[WeakBox]>([])

    var isEmpty: Bool { boxes.withLock { !$0.contains { $0.observer != nil } } }

    var observers: [any SKPaymentTransactionObserver] {
        boxes.withLock { UncheckedBox($0.compactMap(\.observer)) }.value
    }

    /// Adds an observer, once; true when it is the first.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let box = WeakBox(observer)
        return boxes.withLock { boxes in
            boxes.removeAll { $0.observer == nil }
            let isFirst = boxes.isEmpty
            if !boxes.contains(where: { $0.observer === box.observer }) { boxes.append(box) }
            return isFirst
        }
    }

    /// Takes an observer out; true when none is left.
    func remove(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let identity = ObjectIdentifier(observer)
        return boxes.withLock { boxes in
            boxes.removeAll {
                guard let present = $0.observer else { return true }
                return ObjectIdentifier(present) == identity
            }
            return boxes.isEmpty
        }
    }
}
