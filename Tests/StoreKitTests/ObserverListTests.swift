import Foundation
import Synchronization
import Testing

@testable import StoreKit

/// Observers come and go on any thread.
@Suite struct ObserverListTests {
    /// Takes itself off, as most observers do.
    private final class Guest: NSObject, SKPaymentTransactionObserver {
        private let list: ObserverList

        init(_ list: ObserverList) { self.list = list }

        deinit { _ = list.remove(self) }

        func paymentQueue(
            _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
        ) {}
    }

    @Test func `an observer released during reading removes itself`() {
        let list = ObserverList()
        let isOver = Mutex(false)
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 0 {
                while !isOver.withLock({ $0 }) { _ = list.isEmpty }
            } else {
                for _ in 0..<20_000 { _ = list.add(Guest(list)) }
                isOver.withLock { $0 = true }
            }
        }
        #expect(list.isEmpty && list.observers.isEmpty)
    }

    @Test func `adding the first observer and removing the last are reported`() {
        let list = ObserverList()
        let (one, other) = (Guest(list), Guest(list))
        #expect(list.add(one) && !list.add(other) && !list.add(one))
        #expect(list.observers.count == 2)
        #expect(!list.remove(one) && list.remove(other) && list.isEmpty)
        #expect(list.add(one))
    }
}
