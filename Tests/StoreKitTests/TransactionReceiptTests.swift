import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// `transactionReceipt`: there when the observer is called, whatever happened before.
@Suite struct TransactionReceiptTests {
    private static let first = "receipt of 2000000000000001"

    @Test func `a purchase has its transaction receipt when the observer is called`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.transactionReceipts == [Self.first])
        let receipt = app.queue.transactions.first?.transactionReceipt
        #expect(receipt == Data(Self.first.utf8))
    }

    @Test func `a transaction has its receipt at every launch and on another device`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        app.queue.remove(app.observer)
        shop.store.buyElsewhere(Shop.turbo)
        for _ in 1...2 {
            let again = try shop.launch().start()
            try await again.hears("both") { $0.purchased.count == 2 }
            #expect(
                again.observer.heard.transactionReceipts
                    == [Self.first, "receipt of 2000000000000002"])
            again.queue.remove(again.observer)
        }
    }

    @Test func `a transaction that was not purchased has no receipt`() async throws {
        let shop = try Shop()
        shop.store.state.withLock {
            $0.refusal = RefusalBody(code: .productUnknown, message: "No.")
        }
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.transactions.first?.transactionReceipt == nil)
        #expect(SKPaymentTransaction().transactionReceipt == nil)
        #expect(shop.store.count("transaction-receipts") == 0)
    }

    @Test(arguments: [
        FakeStore.Fault.dropBefore, .dropAfter, .status(500), .status(503), .nonsense,
        .unauthorized,
    ])
    func `trouble fetching a transaction receipt delays the purchase and loses nothing`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.next("transaction-receipts", fault, fault)
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.transactionReceipts == [Self.first])
        #expect(app.observer.heard.calls == [["0"], ["1"]])
        #expect(shop.store.transactions.count == 1)
    }

    @Test func `a store without transaction receipts does not delay the purchase`() async throws {
        let shop = try Shop()
        shop.store.state.withLock { $0.givesTransactionReceipts = false }
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.transactionReceipts == [nil])
        #expect(app.observer.heard.receipts == ["receipt 2000000000000001"])
    }

    @Test(arguments: [FakeStore.Fault.status(500), .status(503), .nonsense])
    func `useless answers for a receipt delay the purchase for a few tries only`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        for _ in 0..<20 { shop.store.next("transaction-receipts", fault) }
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.transactionReceipts == [nil])
        #expect(app.observer.heard.receipts == ["receipt 2000000000000001"])
        #expect(shop.store.count("transaction-receipts") == 3)
    }

    @Test func `a purchase waits for an unresponsive store's transaction receipt`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        for _ in 0..<10 { shop.store.next("transaction-receipts", .dropBefore) }
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.transactionReceipts == [Self.first])
    }

    @Test func `transaction receipts are fetched by the page and only missing ones again`()
        async throws
    {
        let shop = try Shop()
        let count = 2 * TransactionReceiptsRequestBody.transactionsMax + 50
        for _ in 0..<count { shop.store.buyElsewhere(Shop.fuel) }
        let app = try shop.launch()
        shop.store.next("transaction-receipts", .late(milliseconds: 1), .status(500))
        _ = app.start()
        let token = SKMutablePayment()
        token.productIdentifier = Shop.turbo
        // Signing in comes with the first payment.
        app.queue.add(token)
        try await app.hears("all") { $0.purchased.count == count + 1 }
        let heard = app.observer.heard
        #expect(heard.transactionReceipts == heard.purchased.map { "receipt of \($0)" })
        // Three pages and the second again, one for the payment.
        #expect(shop.store.count("transaction-receipts") <= 6)
    }

    @Test func `a transaction receipt for a known or missing transaction changes nothing`() {
        var state = QueueState(deviceGuid: "here", world: "w")
        let key = QueueKey(attemptId: "a")
        #expect(state.apply(.transactionReceiptsCame([key: .brought(Data([1]))])).isEmpty)
        #expect(state.items.isEmpty)
        #expect(state.withoutReceipt([key]).isEmpty)
        _ = state.apply(
            .paymentAdded(
                attemptId: "a", PaymentContents(productIdentifier: "p", quantity: 1),
                atMilliseconds: 0))
        _ = state.apply(.transactionReceiptsCame([key: .brought(Data([1]))]))
        #expect(state.items[key]?.presented == .purchasing)
        #expect(state.withoutReceipt([key]).isEmpty)
    }
}
