import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// Receipts that come with the answer to an attempt are not fetched.
@Suite struct SentReceiptTests {
    @Test func `a purchase whose receipts came along takes one request`() async throws {
        let shop = try Shop()
        // No news, which could come before the answer and would fetch the receipt.
        shop.store.state.withLock { _ = $0.failing.insert("updates") }
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await app.quiet()
        shop.store.state.withLock { $0.sendsReceipts = true }
        func fetched() -> Int {
            shop.store.count("receipt") + shop.store.count("transaction-receipts")
        }
        let before = fetched()
        app.buy(Shop.turbo)
        try await app.hears("purchased") { $0.purchased.count == 2 }
        #expect(fetched() == before)
        let heard = app.observer.heard
        #expect(heard.receipts.last == "receipt 2000000000000001,2000000000000002")
        #expect(heard.transactionReceipts.last == "receipt of 2000000000000002")
        #expect(shop.receipt == "receipt 2000000000000001,2000000000000002")
    }

    @Test func `a receipt sent along serves once and only its own customer and version`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let parts = try app.engine.parts.get()
        let session = try #require(parts.connection.session)
        let customer = try #require(session.customer)
        func state(
            _ revision: Int64, version: String = "1.0", account: String = "ada"
        ) -> ReceiptFile.State {
            ReceiptFile.State(
                revision: revision, customer: Customer(worldId: customer.worldId, account: account),
                appVersion: version, scope: session.scope)
        }
        func keep(_ receipt: String) {
            app.engine.keep(
                SentReceiptsBody(receipt: receipt, revision: 7, transactionReceipt: ""),
                of: customer, parts)
        }
        keep("no base64")
        #expect(app.engine.takeSentReceipt(state(7)) == nil)
        keep(Data("seven".utf8).base64EncodedString())
        #expect(app.engine.takeSentReceipt(state(8)) == nil)
        #expect(app.engine.takeSentReceipt(state(7, version: "2.0")) == nil)
        #expect(app.engine.takeSentReceipt(state(7, account: "bob")) == nil)
        let taken = try #require(app.engine.takeSentReceipt(state(6)))
        #expect(taken.bytes == Array("seven".utf8))
        #expect(taken.state.revision == 7)
        #expect(app.engine.takeSentReceipt(state(6)) == nil)
    }

    @Test func `a receipt sent along does not replace a newer file`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let parts = try app.engine.parts.get()
        let customer = try #require(parts.connection.customer)
        shop.store.state.withLock { $0.revision = 50 }
        app.engine.refreshReceipt(to: 50, customer)
        try await shop.sees("the refresh") { app.engine.refresh.withLock { $0 == nil } }
        app.engine.keep(
            SentReceiptsBody(
                receipt: Data("old".utf8).base64EncodedString(), revision: 40,
                transactionReceipt: ""), of: customer, parts)
        app.engine.refreshReceipt(to: 40, customer)
        try await shop.sees("the next") { app.engine.refresh.withLock { $0 == nil } }
        #expect(shop.receipt == "receipt 2000000000000001")
    }

    @Test func `a receipt sent along does not replace that of another account`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let parts = try app.engine.parts.get()
        let customer = try #require(parts.connection.customer)
        app.queue.remove(app.observer)
        // Nothing that was under way may take over the other's session before the receipt is stored.
        app.engine.events.sync {}
        app.engine.receipts.sync {}
        let other = StoreConnection(configuration: try shop.configuration, home: parts.home)
        try other.signIn(.init(name: "bob", password: FakeStore.password), from: .settings)
        app.engine.keep(
            SentReceiptsBody(
                receipt: Data("ada's".utf8).base64EncodedString(), revision: 50,
                transactionReceipt: ""), of: customer, parts)
        #expect(parts.connection.customer == customer)
        #expect(throws: StoreFailure.self) {
            try app.engine.updateReceipt(to: 50, of: customer, parts)
        }
        #expect(parts.connection.account == "bob")
        #expect(shop.receipt == "receipt 2000000000000001")
    }
}
