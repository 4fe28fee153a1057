import BodegaTesting
import Foundation
import StoreKit
import Synchronization
import Testing

/// One engine stands behind StoreKit 2 and the original API.
@Suite struct BothInterfacesTests {
    @Test func `a purchase of the original API is in the history and finished by either`()
        async throws
    {
        let world = try await Kiosk.world()
        let observer = Observer()
        try await world.run {
            let updates = Collector.updates()
            SKPaymentQueue.default().add(observer)
            let payment = SKMutablePayment()
            payment.productIdentifier = Kiosk.issue
            SKPaymentQueue.default().add(payment)
            try await observer.hears { $0.purchased == [Kiosk.issue] }
            let transaction = try #require(try await Transaction.unfinished.all.first)
            #expect(transaction.productID == Kiosk.issue)
            await transaction.finish()
            try await observer.hears { $0.removed == [Kiosk.issue] }
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            #expect(updates.all.isEmpty)
        }
    }

    @Test func `a purchase of StoreKit 2 is in no observer's queue`() async throws {
        let world = try await Kiosk.world()
        let observer = Observer()
        try await world.run {
            SKPaymentQueue.default().add(observer)
            _ = try await Kiosk.buy(Kiosk.archive)
            let payment = SKMutablePayment()
            payment.productIdentifier = Kiosk.issue
            SKPaymentQueue.default().add(payment)
            try await observer.hears { !$0.purchased.isEmpty }
            #expect(observer.heard.purchased == [Kiosk.issue])
            #expect(SKPaymentQueue.default().transactions.count == 1)
        }
    }
}

private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Heard: Sendable {
        var purchased: [String] = []
        var removed: [String] = []
    }

    private let state = Mutex(Heard())
    var heard: Heard { state.withLock { $0 } }

    func hears(_ isEnough: (Heard) -> Bool) async throws {
        for _ in 0..<12_000 {
            if isEnough(heard) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Trouble("heard \(heard)")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            state.withLock { $0.purchased.append(transaction.payment.productIdentifier) }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            state.withLock { $0.removed.append(transaction.payment.productIdentifier) }
        }
    }
}
