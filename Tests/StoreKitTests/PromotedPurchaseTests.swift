import Foundation
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// What a person begins outside the app.
@Suite struct PromotedPurchaseTests {
    @Test(arguments: [true, false])
    func `a promoted purchase proceeds when one observer wants it`(isWanted: Bool) async throws {
        let shop = try Shop()
        try PromotedPurchase(productIdentifier: Shop.fuel, madeAtMilliseconds: 1)
            .leave(home: shop.home)
        let app = try shop.launch().start()
        let unwilling = NewsListener(shop)
        let listener = NewsListener(shop, takesOffers: isWanted)
        app.queue.add(unwilling)
        app.queue.add(listener)
        try await shop.sees("the question") { listener.heard.withLock { !$0.offered.isEmpty } }
        if isWanted {
            try await app.hears("purchased") { $0.purchased.count == 1 }
        } else {
            try await app.quiet()
            #expect(shop.store.transactions.isEmpty)
        }
        #expect(unwilling.heard.withLock { $0.offered } == [Shop.fuel])
        #expect(listener.heard.withLock { $0.offered } == [Shop.fuel])
        app.queue.remove(listener)
        app.queue.remove(unwilling)
    }

    @Test func `a promoted purchase waits for an absent store`() async throws {
        let shop = try Shop()
        shop.store.state.withLock { _ = $0.failing.insert("products") }
        try PromotedPurchase(productIdentifier: Shop.fuel, madeAtMilliseconds: 1)
            .leave(home: shop.home)
        let app = try shop.launch().start()
        let listener = NewsListener(shop, takesOffers: true)
        app.queue.add(listener)
        try await shop.sees("questions in vain") {
            shop.store.count("products") > Retries.impatientTriesMax
        }
        shop.store.state.withLock { $0.failing = [] }
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await app.quiet()
        #expect(listener.heard.withLock { $0.offered } == [Shop.fuel])
        app.queue.remove(listener)
    }

    @Test func `a promoted purchase is taken by one process and an unknown product by none`() throws
    {
        let shop = try Shop()
        let home = try HomeFolder(path: shop.home)
        for number in 1...3 {
            try PromotedPurchase(productIdentifier: "p\(number)", madeAtMilliseconds: Int64(number))
                .leave(home: shop.home)
        }
        try DurableFile.write(Array("no JSON".utf8), to: home.intentsFolder + "/intent-x.json")
        let taken = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let some = PromotedPurchase.take(from: home).map(\.productIdentifier)
            taken.withLock { $0 += some }
        }
        #expect(taken.withLock { $0.sorted() } == ["p1", "p2", "p3"])
        #expect(PromotedPurchase.take(from: home).isEmpty)
    }

    @Test func `a device's promotion order is stored`() async throws {
        let shop = try Shop()
        let parts = try shop.launch().engine.parts
        func product(_ identifier: String) -> SKProduct {
            SKProduct(details: ProductDetails(productIdentifier: identifier))
        }
        let fuel = product(Shop.fuel)
        let first = SKProductStorePromotionController(promotions: StorePromotions { parts })
        #expect(try await first.promotionVisibility(for: fuel) == .default)
        #expect(try await first.promotionOrder().isEmpty)
        try await first.update(promotionVisibility: .hide, for: fuel)
        try await first.update(
            promotionOrder: [product(Shop.turbo), fuel, fuel, product("unknown")])
        let second = SKProductStorePromotionController(promotions: StorePromotions { parts })
        #expect(try await second.promotionVisibility(for: fuel) == .hide)
        #expect(
            try await second.promotionOrder().map(\.productIdentifier)
                == [Shop.turbo, Shop.fuel])
        try await second.update(promotionVisibility: .default, for: fuel)
        #expect(try await first.promotionVisibility(for: fuel) == .default)
        let answers = await withCheckedContinuation { answer in
            first.update(storePromotionVisibility: .show, for: fuel) { failure in
                let isSet = failure == nil
                second.fetchStorePromotionVisibility(for: fuel) {
                    answer.resume(returning: (isSet, $0, $1 == nil))
                }
            }
        }
        #expect(answers == (true, .show, true))
    }
}
