import Synchronization

/// The observers of a queue, none of them retained.
///
/// Weak references are read outside the lock only: when the app lets an observer go meanwhile, its
/// `deinit` runs right here, and usually takes the observer off the queue.
final class ObserverList: Sendable {
    private final class WeakBox: @unchecked Sendable {
        weak var observer: (any SKPaymentTransactionObserver)?
        let identity: ObjectIdentifier

        init(_ observer: any SKPaymentTransactionObserver) {
            self.observer = observer
            identity = ObjectIdentifier(observer)
        }
    }

    private let boxes = Mutex<[WeakBox]>([])

    var isEmpty: Bool { observers.isEmpty }

    var observers: [any SKPaymentTransactionObserver] {
        boxes.withLock { $0 }.compactMap(\.observer)
    }

    /// Those whose observers are gone.
    private var empty: [WeakBox] {
        boxes.withLock { $0 }.filter { $0.observer == nil }
    }

    /// Adds an observer, once; true when it is the first.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let (box, empty) = (WeakBox(observer), empty)
        return boxes.withLock { boxes in
            boxes.removeAll { box in empty.contains { $0 === box } }
            let isFirst = boxes.isEmpty
            if !boxes.contains(where: { $0.identity == box.identity }) { boxes.append(box) }
            return isFirst
        }
    }

    /// Takes an observer out; true when none is left.
    func remove(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let (identity, empty) = (ObjectIdentifier(observer), empty)
        return boxes.withLock { boxes in
            boxes.removeAll { box in
                box.identity == identity || empty.contains { $0 === box }
            }
            return boxes.isEmpty
        }
    }
}
