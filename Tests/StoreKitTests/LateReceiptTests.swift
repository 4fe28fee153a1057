import Foundation
import StoreWire
import Testing

@testable import StoreKit

/// `transactionReceipt` of purchases that come back in such numbers that observers hear of them
/// first.
@Suite struct LateReceiptTests {
    private static let count = QueueEngine.receiptsBroughtMax + 1
    private static let pages =
        (count + TransactionReceiptsRequestBody.transactionsMax - 1)
        / TransactionReceiptsRequestBody.transactionsMax

    /// A shop whose device comes back to so many purchases, and its app; the observer asks each
    /// for its receipt as soon as it hears of it.
    private func launch() async throws -> (shop: Shop, app: App) {
        let shop = try Shop()
        let before = try shop.launch().start()
        before.buy(Shop.turbo)
        try await before.hears("signed in") { $0.purchased.count == 1 }
        before.queue.remove(before.observer)
        for _ in 1..<Self.count { shop.store.buyElsewhere(Shop.fuel) }
        return (shop, try shop.launch())
    }

    @Test func `transaction receipts arrive by the page before their transactions`() async throws {
        let (shop, app) = try await launch()
        let asked = shop.store.count("transaction-receipts")
        _ = app.start()
        try await app.hears("all") { $0.purchased.count == Self.count }
        let heard = app.observer.heard
        #expect(heard.calls == [Array(repeating: "1", count: Self.count)])
        #expect(heard.transactionReceipts == heard.purchased.map { "receipt of \($0)" })
        #expect(heard.receipts.allSatisfy { $0 == shop.receipt })
        #expect(shop.store.count("transaction-receipts") - asked == Self.pages)
        #expect(app.queue.transactions.allSatisfy { $0.transactionReceipt != nil })
        #expect(shop.store.count("transaction-receipts") - asked == Self.pages)
    }

    @Test func `a store without transaction receipts is asked once`() async throws {
        let (shop, app) = try await launch()
        shop.store.state.withLock { $0.givesTransactionReceipts = false }
        let asked = shop.store.count("transaction-receipts")
        _ = app.start()
        try await app.hears("all") { $0.purchased.count == Self.count }
        #expect(app.observer.heard.transactionReceipts.allSatisfy { $0 == nil })
        #expect(shop.store.count("transaction-receipts") - asked == 1)
    }

    @Test func `a store in trouble is asked again later and not once per transaction`() async throws
    {
        let (shop, app) = try await launch()
        shop.store.next("transaction-receipts", .status(500))
        let asked = shop.store.count("transaction-receipts")
        _ = app.start()
        try await app.hears("all") { $0.purchased.count == Self.count }
        #expect(app.observer.heard.transactionReceipts.first == .some(nil))
        #expect(shop.store.count("transaction-receipts") - asked <= Self.pages + 1)
        // Also one that the app has finished meanwhile.
        let last = try #require(app.queue.transactions.last)
        app.queue.finishTransaction(last)
        try await app.hears("the finish") { $0.removed.count == 1 }
        let receipt = Data("receipt of \(try #require(last.transactionIdentifier))".utf8)
        try await shop.sees("its receipt") { last.transactionReceipt == receipt }
    }
}
