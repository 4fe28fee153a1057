import Foundation
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// What the owner takes back at the store.
@Suite struct RevocationNewsTests {
    @Test func `a revocation is delivered once the receipt shows it`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let listener = NewsListener(shop)
        app.queue.add(listener)
        app.buy(Shop.turbo)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        shop.store.state.withLock { $0.receiptWord = "without turbo:" }
        shop.store.next("receipt", .status(503))
        shop.happen(.revoked, shop.store.transactions[0])
        try await shop.sees("the revocation") { listener.heard.withLock { $0.revoked.count == 1 } }
        #expect(listener.heard.withLock { $0.revoked } == [[Shop.turbo]])
        #expect(listener.heard.withLock { $0.receipts[0] }?.hasPrefix("without turbo") == true)
        app.queue.remove(listener)
    }

    @Test func `a revocation between two launches is delivered at the next launch, once`()
        async throws
    {
        let shop = try Shop()
        let first = try shop.launch().start()
        first.buy(Shop.turbo)
        try await first.hears("purchased") { $0.purchased.count == 1 }
        first.queue.remove(first.observer)
        // An installation that knows nothing but its list: no poll is answered before it ends.
        try FileManager.default.removeItem(atPath: shop.home + "/cursor.json")
        let polls = shop.store.count("updates")
        let second = try shop.launch().start()
        try await second.hears("the list") { $0.purchased.count == 1 }
        try await shop.sees("a poll") { shop.store.count("updates") > polls }
        second.queue.remove(second.observer)
        shop.happen(.revoked, shop.store.transactions[0])
        for expected in [1, 0] {
            let later = try shop.launch()
            let listener = NewsListener(shop)
            later.queue.add(listener)
            _ = later.start()
            try await later.hears("the list") { $0.purchased.count == 1 }
            if expected == 1 {
                try await shop.sees("the revocation") {
                    listener.heard.withLock { !$0.revoked.isEmpty }
                }
            }
            try await later.quiet()
            #expect(listener.heard.withLock { $0.revoked.count } == expected)
            later.queue.remove(listener)
            later.queue.remove(later.observer)
        }
    }

    @Test func `a revocation whose receipt did not arrive is delivered at the next launch`()
        async throws
    {
        let shop = try Shop()
        let first = try shop.launch().start()
        first.buy(Shop.turbo)
        try await first.hears("purchased") { $0.purchased.count == 1 }
        try await shop.sees("a poll") { shop.store.count("updates") > 0 }
        try await first.quiet()
        let receipts = shop.store.count("receipt")
        shop.store.state.withLock { _ = $0.failing.insert("receipt") }
        shop.happen(.revoked, shop.store.transactions[0])
        try await shop.sees("a try") { shop.store.count("receipt") > receipts }
        try await first.quiet()
        first.queue.remove(first.observer)
        shop.store.state.withLock { _ = $0.failing.remove("receipt") }
        let later = try shop.launch()
        let listener = NewsListener(shop)
        later.queue.add(listener)
        try await shop.sees("the revocation") { listener.heard.withLock { !$0.revoked.isEmpty } }
        #expect(listener.heard.withLock { $0.revoked } == [[Shop.turbo]])
        later.queue.remove(listener)
    }

    @Test func `a revocation without observers is delivered to the next one, once`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.turbo)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await shop.sees("a poll") { shop.store.count("updates") > 0 }
        try await app.quiet()
        let mayBring = DispatchSemaphore(value: 0)
        app.engine.receipts.async { mayBring.wait() }
        let polls = shop.store.count("updates")
        shop.happen(.revoked, shop.store.transactions[0])
        // The first of these may have been answered just before it happened.
        try await shop.sees("later polls") { shop.store.count("updates") > polls + 1 }
        app.engine.events.sync {}
        app.queue.remove(app.observer)
        mayBring.signal()
        app.engine.receipts.sync {}
        try await app.quiet()
        let listener = NewsListener(shop)
        app.queue.add(listener)
        try await shop.sees("the revocation") { listener.heard.withLock { !$0.revoked.isEmpty } }
        try await app.quiet()
        #expect(listener.heard.withLock { $0.revoked } == [[Shop.turbo]])
        app.queue.remove(listener)
    }
}
