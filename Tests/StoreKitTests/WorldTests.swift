import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// One installation that meets several stores, which all count from the same numbers.
@Suite struct WorldTests {
    /// Two stores at the same address, as far as the home folder can tell.
    static func shops() throws -> (first: Shop, second: Shop) {
        let first = try Shop()
        let second = try Shop(afterwards: first)
        second.store.state.withLock { $0.receiptWord = "second" }
        return (first, second)
    }

    @Test func `a purchase in a fresh store is delivered with that store's receipt`() async throws {
        let (first, second) = try Self.shops()
        let app = try first.launch().start()
        app.buy(Shop.fuel)
        app.buy(Shop.fuel)
        try await app.hears("both") { $0.purchased.count == 2 }
        app.queue.remove(app.observer)

        let again = try second.launch().start()
        again.buy(Shop.turbo)
        try await again.hears("purchased") { $0.purchased.count == 1 }
        #expect(again.observer.heard.purchased == ["2000000000000001"])
        #expect(again.observer.heard.receipts == ["second 2000000000000001"])
        #expect(again.observer.heard.failed.isEmpty)
        #expect(first.store.transactions.count == 2 && second.store.transactions.count == 1)
    }

    @Test func `an unsent finish of one store affects nothing in the next`() async throws {
        let (first, second) = try Self.shops()
        let app = try first.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        first.store.state.withLock { _ = $0.failing.insert("finish") }
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await app.hears("removed") { $0.removed.count == 1 }
        app.queue.remove(app.observer)
        first.store.state.withLock { $0.isDown = true }
        let file = "finish-2000000000000001-\(first.store.worldId).json"
        #expect(first.journalFiles == [file])

        let again = try second.launch().start()
        again.buy(Shop.turbo)
        try await again.hears("purchased") { $0.purchased.count == 1 }
        try await again.quiet()
        #expect(second.store.finished.isEmpty)
        #expect(second.journalFiles == [file])
        again.queue.remove(again.observer)
        let third = try second.launch().start()
        try await third.hears("it is not hidden") { $0.purchased == ["2000000000000001"] }
        third.queue.remove(third.observer)

        first.store.state.withLock {
            $0.isDown = false
            $0.failing = []
        }
        let home = try first.launch().start()
        try await first.sees("the finish") { !first.store.finished.isEmpty }
        try await first.sees("an empty journal") { first.journalFiles.isEmpty }
        #expect(home.observer.heard.purchased.isEmpty)
        #expect(second.store.finished.isEmpty)
    }

    @Test func `an undecided attempt waits for its own store`() async throws {
        let (first, second) = try Self.shops()
        let app = try first.launch().start()
        first.store.state.withLock { _ = $0.failing.insert("attempts") }
        app.buy(Shop.fuel)
        try await first.sees("a post") { first.store.count("attempts") > 1 }
        app.queue.remove(app.observer)
        first.store.state.withLock { $0.isDown = true }
        #expect(first.journalFiles.count == 1)

        let again = try second.launch().start()
        try await second.sees("the world") { second.store.count("register") > 0 }
        again.buy(Shop.turbo)
        try await again.hears("purchased") { $0.purchased.count == 1 }
        try await again.quiet()
        #expect(again.observer.heard.calls == [["0"], ["1"]])
        #expect(second.store.transactions.map(\.productId) == [Shop.turbo])
        #expect(second.journalFiles == first.journalFiles && first.journalFiles.count == 1)
        again.queue.remove(again.observer)

        first.store.state.withLock {
            $0.isDown = false
            $0.failing = []
        }
        let home = try first.launch().start()
        try await home.hears("the purchase") { $0.purchased == ["2000000000000001"] }
        #expect(home.observer.heard.receipts == ["receipt 2000000000000001"])
        #expect(home.observer.heard.failed.isEmpty)
        #expect(first.store.transactions.map(\.productId) == [Shop.fuel])
        #expect(first.journalFiles == [])
    }
}
