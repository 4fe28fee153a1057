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

    /// A launch in which one purchase of each interface is made, and none finished.
    private func deviceWithBoth() async throws -> Device {
        let device = Device(world: try await Kiosk.world())
        let observer = Observer()
        try await device.launch {
            SKPaymentQueue.default().add(observer)
            let payment = SKMutablePayment()
            payment.productIdentifier = Kiosk.issue
            SKPaymentQueue.default().add(payment)
            try await observer.hears { $0.purchased == [Kiosk.issue] }
            _ = try await Kiosk.buy(Kiosk.archive)
        }
        return device
    }

    private static let both = [Kiosk.archive, Kiosk.issue]

    @Test func `updates of later launches have what both interfaces bought`()
        async throws
    {
        let device = try await deviceWithBoth()
        for _ in 0..<2 {
            let told = try await device.launch {
                try await Collector.updates().first(2).map(\.unsafePayloadValue.productID).sorted()
            }
            #expect(told == Self.both)
        }
        try await device.launch {
            for result in try await Collector.updates().first(2) {
                await result.unsafePayloadValue.finish()
            }
        }
        let observer = Observer()
        try await device.launch {
            SKPaymentQueue.default().add(observer)
            let unfinished = try await Transaction.unfinished.all
            #expect(unfinished.isEmpty && SKPaymentQueue.default().transactions.isEmpty)
        }
        #expect(observer.heard.purchased.isEmpty)
    }

    @Test func `observers of later launches have what both interfaces bought`()
        async throws
    {
        let device = try await deviceWithBoth()
        for _ in 0..<2 {
            let observer = Observer()
            try await device.launch {
                SKPaymentQueue.default().add(observer)
                try await observer.hears { $0.purchased.sorted() == Self.both }
            }
        }
        let observer = Observer()
        try await device.launch {
            SKPaymentQueue.default().add(observer)
            try await observer.hears { $0.purchased.sorted() == Self.both }
            for transaction in SKPaymentQueue.default().transactions {
                SKPaymentQueue.default().finishTransaction(transaction)
            }
            try await observer.hears { $0.removed.sorted() == Self.both }
        }
        let left = try await device.launch { try await Transaction.unfinished.all }
        #expect(left.isEmpty)
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
