import Foundation
import Synchronization
import Testing

@testable import StoreKit

/// What the sheet showed is what is charged.
@Suite struct ShownPriceTests {
    /// A person who reads each price and buys, whatever happens meanwhile.
    final class Reader: PaymentSheet {
        let prices = Mutex<[String?]>([])
        let afterReading: @Sendable (Int) -> Void

        init(afterReading: @escaping @Sendable (Int) -> Void) {
            self.afterReading = afterReading
        }

        var showsDetails: Bool { true }

        func signIn(
            _ prompt: SheetPrompt, trouble: String?
        ) -> SheetAnswer<StoreConfiguration.Account> {
            .given(StoreConfiguration.Account(name: "ada", password: FakeStore.password))
        }

        func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> {
            let count = prices.withLock { prices in
                prices.append(prompt.price)
                return prices.count
            }
            afterReading(count)
            return .given(true)
        }

        func show(_ sentence: String) {}
    }

    @Test func `a changed price is shown before it is paid`() async throws {
        let shop = try Shop()
        let store = shop.store
        let sheet = Reader { round in
            if round == 1 { store.state.withLock { $0.priceMilliunits = 2_990 } }
        }
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel, quantity: 2)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(sheet.prices.withLock { $0 } == ["$3.98", "$5.98"])
        #expect(app.observer.heard.calls == [["0"], ["1"]])
        #expect(store.transactions.count == 1)
        #expect(store.state.withLock { $0.attempts.count } == 2)
        #expect(shop.journalFiles == [])
        let posted = store.state.withLock { $0.attemptBodies.values.map(\.shownPriceMilliunits) }
        #expect(Set(posted) == [3_980, 5_980])
    }

    @Test func `a price that keeps changing is not followed for ever`() async throws {
        let shop = try Shop()
        let store = shop.store
        let sheet = Reader { _ in store.state.withLock { $0.priceMilliunits += 1_000 } }
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(sheet.prices.withLock { $0.count } == QueueState.sheetRoundsMax)
        #expect(app.observer.heard.failed.map(\.code) == [.unknown])
        #expect(store.transactions.isEmpty)
    }

    @Test func `a changed price fails the payment when the next attempt cannot be written`()
        async throws
    {
        let shop = try Shop()
        let store = shop.store
        let sheet = Reader { _ in store.state.withLock { $0.priceMilliunits = 2_990 } }
        let app = try shop.launch(sheet: sheet).start()
        let mayPost = DispatchSemaphore(value: 0)
        app.engine.courier.async { mayPost.wait() }
        app.buy(Shop.fuel)
        try await shop.sees("the approval") {
            app.engine.look { state in
                state.items.values.contains { item in
                    if case .sending = item.stage { true } else { false }
                }
            }
        }
        // In a file nothing can be written or removed.
        let journal = shop.home + "/journal"
        try FileManager.default.moveItem(atPath: journal, toPath: journal + ".away")
        try Data().write(to: URL(fileURLWithPath: journal))
        mayPost.signal()
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(sheet.prices.withLock { $0.count } == 1)
        #expect(store.transactions.isEmpty)
    }

    @Test func `a sheet without a price sends none`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let bodies = shop.store.state.withLock { Array($0.attemptBodies.values) }
        #expect(bodies.map(\.shownPriceMilliunits) == [nil])
        #expect(bodies.map(\.shownCurrency) == [nil] && bodies.map(\.simulatesAskToBuy) == [nil])
    }

    struct Row: Sendable {
        let milliunits: Int64
        let quantity: Int
        let shown: Int64?
    }

    @Test(arguments: [
        Row(milliunits: 990, quantity: 1, shown: 990), Row(milliunits: 0, quantity: 10, shown: 0),
        Row(milliunits: 1_000_000_000, quantity: 10, shown: 10_000_000_000),
        Row(milliunits: 1, quantity: 3, shown: 3),
        Row(milliunits: .max, quantity: 2, shown: nil),
    ])
    func `the shown price covers the whole quantity exactly`(row: Row) {
        var details = ProductDetails()
        details.price = ProductDetails.price(milliunits: row.milliunits)
        details.priceLocale = Locale(identifier: "en_US@currency=EUR")
        let shown = ShownPrice(SKProduct(details: details), quantity: row.quantity)
        #expect(shown?.milliunits == row.shown)
        #expect(shown?.currency == (row.shown == nil ? nil : "EUR"))
    }
}
