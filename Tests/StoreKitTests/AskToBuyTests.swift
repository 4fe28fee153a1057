import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// Payments that somebody else approves, and purchases that were interrupted.
@Suite struct AskToBuyTests {
    /// A shop with one payment that waits, and the app that made it.
    private func deferredShop() async throws -> (Shop, App) {
        let shop = try Shop()
        shop.store.state.withLock { $0.isDeferring = true }
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("deferred") { $0.calls.contains(["4"]) }
        return (shop, app)
    }

    @Test func `a deferred payment is posted once and the same object becomes purchased`()
        async throws
    {
        let (shop, app) = try await deferredShop()
        try await app.quiet(looksAtHome: true)
        // Once for the payment; a list that came meanwhile asks once more.
        let posts = shop.store.count("attempts")
        #expect(posts <= 2)
        try await app.quiet(looksAtHome: true)
        #expect(shop.store.count("attempts") == posts)
        let waiting = try #require(app.queue.transactions.first)
        shop.store.completeWaiting()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.calls == [["0"], ["4"], ["1"]])
        #expect(app.queue.transactions.count == 1)
        #expect(app.queue.transactions.first === waiting)
        #expect(shop.journalFiles == [])
        #expect(shop.receipt == "receipt 2000000000000001")
    }

    @Test func `a declined payment fails as if it were cancelled`() async throws {
        let (shop, app) = try await deferredShop()
        let waiting = try #require(app.queue.transactions.first)
        shop.store.declineWaiting()
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.map(\.code) == [.paymentCancelled])
        #expect(app.observer.heard.calls == [["0"], ["4"], ["2"]])
        #expect(waiting.transactionState == .failed)
        app.queue.finishTransaction(waiting)
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(shop.journalFiles == [])
    }

    @Test func `a decline without an event is learned from the next transaction list`() async throws
    {
        let (shop, app) = try await deferredShop()
        shop.store.declineWaiting(tells: false)
        app.engine.listener?.start()
        try await app.hears("failed") { $0.failed.count == 1 }
    }

    @Test(arguments: [true, false]) func `the next launch learns the outcome of a deferred payment`(
        isApproved: Bool
    )
        async throws
    {
        let (shop, first) = try await deferredShop()
        first.queue.remove(first.observer)
        let waiting = try shop.launch().start()
        try await waiting.hears("deferred again") { $0.calls == [["4"]] }
        waiting.queue.remove(waiting.observer)
        if isApproved { shop.store.completeWaiting() } else { shop.store.declineWaiting() }
        let app = try shop.launch().start()
        try await app.hears("the outcome") { $0.purchased.count + $0.failed.count == 1 }
        #expect(app.observer.heard.calls == [[isApproved ? "1" : "2"]])
        #expect(shop.store.transactions.count == (isApproved ? 1 : 0))
    }

    @Test func `the outcome of a deferred payment waits for the account that asked`() async throws {
        let (shop, app) = try await deferredShop()
        shop.store.state.withLock { $0.isDeferring = false }
        app.queue.remove(app.observer)
        let other = try shop.launch(account: "bob").start()
        other.buy(Shop.turbo)
        try await other.hears("bob's own") { $0.purchased.count == 1 }
        other.queue.remove(other.observer)
        shop.store.declineWaiting()
        let mine = try shop.launch()
        mine.queue.add(mine.observer)
        mine.buy(Shop.turbo)
        try await mine.hears("the decline") { $0.failed.count == 1 }
        #expect(mine.observer.heard.failed.map(\.code) == [.paymentCancelled])
    }

    @Test func `an interrupted purchase fails and arrives later as a new transaction`() async throws
    {
        let shop = try Shop()
        shop.store.state.withLock { $0.isInterrupting = true }
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.map(\.code) == [.unknown])
        let failed = try #require(app.queue.transactions.first)
        shop.store.completeWaiting()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.queue.transactions.count == 2)
        #expect(failed.transactionState == .failed)
        app.queue.finishTransaction(failed)
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(app.queue.transactions.map(\.transactionState) == [.purchased])
    }

    @Test func `an interrupted purchase is delivered once after a crash and a relaunch`()
        async throws
    {
        let shop = try Shop()
        shop.store.state.withLock { $0.isInterrupting = true }
        shop.store.next("attempts", .dropAfter, .status(500), .status(500))
        let first = try shop.launch(retries: Retries(delaysMilliseconds: [60_000])).start()
        first.buy(Shop.fuel)
        // A post is counted when it arrives, before it is interrupted.
        try await shop.sees("the post") { shop.store.state.withLock { !$0.attempts.isEmpty } }
        first.queue.remove(first.observer)
        shop.store.state.withLock { $0.faults = [:] }
        shop.store.completeWaiting()
        let app = try shop.launch().start()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await app.quiet()
        #expect(app.observer.heard.failed.isEmpty)
        #expect(shop.store.transactions.count == 1)
    }
}
