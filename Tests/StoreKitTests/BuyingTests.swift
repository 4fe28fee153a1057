import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// Buying from a store that may misbehave: always exactly one purchase for one payment.
@Suite struct BuyingTests {
    @Test func `a purchase is delivered after its receipt, on the main thread`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let heard = app.observer.heard
        #expect(heard.calls == [["0"], ["1"]])
        #expect(heard.purchased == ["2000000000000001"])
        #expect(heard.receipts == ["receipt 2000000000000001"])
        #expect(!heard.wasOffMain)
        let date = heard.transactions.first?.transactionDate
        #expect(date == Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(app.queue.transactions.count == 1)
        #expect(app.queue.storefront?.countryCode == "USA")
    }

    @Test(arguments: [
        FakeStore.Fault.dropBefore, .dropAfter, .status(500), .status(503), .status(429),
        .nonsense, .late(milliseconds: 300), .unauthorized,
    ])
    func `a payment buys once whatever becomes of the answer`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.next("attempts", fault, fault, fault)
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await app.quiet()
        #expect(shop.store.transactions.count == 1)
        #expect(app.observer.heard.purchased.count == 1)
        #expect(app.observer.heard.failed.isEmpty)
        #expect(shop.journalFiles == [])
    }

    @Test(arguments: ["register", "sign-in", "receipt", "transactions", "updates"])
    func `trouble with any other call neither loses nor doubles a purchase`(
        kind: String
    ) async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.next(kind, .dropBefore, .status(500))
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(shop.store.transactions.count == 1)
        #expect(app.observer.heard.receipts == ["receipt 2000000000000001"])
    }

    @Test func `a finish and its event fetch one receipt`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await app.quiet()
        let before = shop.store.count("receipt")
        // Until both want it.
        let gate = DispatchSemaphore(value: 0)
        shop.store.next("receipt", .held(gate))
        for transaction in app.queue.transactions { app.queue.finishTransaction(transaction) }
        try await app.quiet()
        gate.signal()
        try await app.hears("removed") { $0.removed.count == 1 }
        try await app.quiet(looksAtHome: true)
        #expect(shop.store.count("receipt") == before + 1)
    }

    @Test func `the same payment added twice is two purchases`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.fuel
        payment.applicationUsername = "somebody"
        app.queue.add(payment)
        app.queue.add(payment)
        payment.productIdentifier = "com.example.other"
        try await app.hears("both") { $0.purchased.count == 2 }
        #expect(shop.store.transactions.map(\.productId) == [Shop.fuel, Shop.fuel])
        #expect(shop.store.transactions.map(\.applicationUsername) == ["somebody", "somebody"])
    }

    @Test(arguments: [
        (RefusalCode.quantityNotAllowed, SKError.paymentInvalid),
        (.productUnknown, SKError.storeProductNotAvailable),
        (.productNotForSale, SKError.storeProductNotAvailable),
        (.kindNotSold, SKError.storeProductNotAvailable),
        (.productionClosed, SKError.paymentNotAllowed),
        (.receiptFull, SKError.paymentNotAllowed),
        (.insufficientCredit, SKError.paymentCancelled),
    ])
    func `a refused purchase fails with the store's sentence`(
        refusal: RefusalCode, code: SKError.Code
    ) async throws {
        let shop = try Shop()
        shop.store.state.withLock {
            $0.refusal = RefusalBody(code: refusal, message: "The reason.")
        }
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == code)
        #expect(app.observer.heard.failed.first?.localizedDescription == "The reason.")
        let transaction = try #require(app.observer.heard.transactions.first)
        #expect(transaction.transactionIdentifier == nil)
        #expect(transaction.transactionDate == nil)
    }

    @Test func `a purchased transaction has every property but an original and an error`()
        async throws
    {
        let shop = try DownloadTests.shop()
        let app = try shop.launch().start()
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.turbo
        payment.quantity = 2
        payment.applicationUsername = "driver"
        app.queue.add(payment)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let bought = try #require(app.observer.heard.transactions.first)
        #expect(bought.transactionState == .purchased)
        #expect(bought.transactionIdentifier == "2000000000000001")
        #expect(bought.transactionDate == Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(bought.payment == payment && bought.payment.quantity == 2)
        #expect(bought.transactionReceipt == Data("receipt of 2000000000000001".utf8))
        #expect(bought.downloads.map(\.contentIdentifier) == [Shop.turbo])
        #expect(bought.original == nil && bought.error == nil)
    }

    @Test func `a purchase request rejected by the store fails`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.next("attempts", .status(422))
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == .paymentInvalid)
        #expect(shop.store.transactions.isEmpty)
    }

    @Test func `a payment that may have been bought is never reported as failed`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.next("attempts", .dropAfter, .status(409))
        app.buy(Shop.fuel)
        // The list or the updates tell of it although the store takes no post any more.
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.failed.isEmpty)
        #expect(shop.store.transactions.count == 1)
    }

    @Test func `a payment that can never be accepted fails, though an answer was lost`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.next("attempts", .dropBefore, .refusal(422, "badField"))
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == .paymentInvalid)
        #expect(shop.store.transactions.isEmpty)
    }

    @Test func `an unreachable store leaves the payment purchasing`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        shop.store.state.withLock { $0.isDown = true }
        app.buy(Shop.turbo)
        try await app.hears("purchasing") { $0.calls.count == 3 }
        try await app.quiet()
        #expect(app.observer.heard.calls.last == ["0"])
        #expect(shop.journalFiles.count == 1)
        shop.store.state.withLock { $0.isDown = false }
        try await app.hears("purchased") { $0.purchased.count == 2 }
    }

    @Test func `a payment without a store fails with paymentNotAllowed`() async throws {
        let reason = FailureReason(.paymentNotAllowed, "No store.")
        let app = App(parts: .failure(reason)).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == .paymentNotAllowed)
        let transaction = try #require(app.observer.heard.transactions.first)
        app.queue.finishTransaction(transaction)
        try await app.hears("removed") { $0.removed == ["none"] }
    }
}
