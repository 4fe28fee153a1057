import Synchronization

/// The observers of a queue, none of them retained.
///
/// Weak references are read only outside the lock: if the app releases an observer meanwhile, its
/// `deinit` runs right here, and usually removes the observer from the queue.
final class ObserverList: Sendable {
    private final class WeakBox: @unchecked Sendable {
        weak var observer: (any SKPaymentTransactionObserver)?
        let identity: ObjectIdentifier
        /// Whether it goes on to the queue of the next context that is the process's.
        let isOfProcess: Bool

        init(_ observer: any SKPaymentTransactionObserver, isOfProcess: Bool) {
            self.observer = observer
            self.isOfProcess = isOfProcess
            identity = ObjectIdentifier(observer)
        }
    }

    private let boxes = Mutex<[WeakBox]>([])

    var isEmpty: Bool { observers.isEmpty }

    var observers: [any SKPaymentTransactionObserver] {
        boxes.withLock { $0 }.compactMap(\.observer)
    }

    /// The boxes whose observers are gone.
    private var empty: [WeakBox] {
        boxes.withLock { $0 }.filter { $0.observer == nil }
    }

    /// Adds an observer, once; true when it is the first.
    func add(_ observer: any SKPaymentTransactionObserver, isOfProcess: Bool = false) -> Bool {
        let (box, empty) = (WeakBox(observer, isOfProcess: isOfProcess), empty)
        return boxes.withLock { boxes in
            boxes.removeAll { box in empty.contains { $0 === box } }
            let isFirst = boxes.isEmpty
            if !boxes.contains(where: { $0.identity == box.identity }) { boxes.append(box) }
            return isFirst
        }
    }

    /// Removes the process's observers, and gives them.
    func takeOfProcess() -> [any SKPaymentTransactionObserver] {
        boxes.withLock { boxes in
            defer { boxes.removeAll(where: \.isOfProcess) }
            return boxes.filter(\.isOfProcess)
        }.compactMap(\.observer)
    }

    func removeAll() {
        boxes.withLock { $0 = [] }
    }

    /// Removes an observer; true when none is left.
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
