import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// What an app hears when it is started again, and what is left behind.
@Suite struct RelaunchTests {
    @Test func `unfinished transactions return in one call at each launch`() async throws {
        let shop = try Shop()
        let first = try shop.launch().start()
        first.buy(Shop.fuel)
        first.buy(Shop.turbo)
        try await first.hears("both") { $0.purchased.count == 2 }
        for _ in 1...2 {
            let again = try shop.launch().start()
            try await again.hears("both again") { $0.purchased.count == 2 }
            #expect(again.observer.heard.calls == [["1", "1"]])
        }
    }

    @Test func `a finished transaction does not return and is reported as removed`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let transaction = try #require(app.observer.heard.transactions.first)
        app.queue.finishTransaction(transaction)
        app.queue.finishTransaction(transaction)
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(shop.store.finished == ["2000000000000001"])
        #expect(shop.receipt == "receipt ")
        #expect(shop.journalFiles == [])
        #expect(app.queue.transactions.isEmpty)
        app.queue.remove(app.observer)
        let lists = shop.store.count("transactions")
        let again = try shop.launch().start()
        try await shop.sees("the list asked for") { shop.store.count("transactions") > lists }
        try await again.quiet()
        #expect(again.observer.heard.calls.isEmpty)
        #expect(shop.store.count("finish") == 1)
    }

    @Test(arguments: [
        FakeStore.Fault.dropBefore, .dropAfter, .status(500), .nonsense, .unauthorized,
    ])
    func `a finish reaches the store whatever becomes of the answer`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        shop.store.next("finish", fault, fault)
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(shop.store.finished == ["2000000000000001"])
        #expect(shop.journalFiles == [])
    }

    @Test func `an unsent finish is kept and sent later`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        shop.store.state.withLock {
            $0.faults["finish"] = Array(repeating: .dropBefore, count: 500)
        }
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(shop.journalFiles == ["finish-2000000000000001-\(shop.store.worldId).json"])
        app.queue.remove(app.observer)

        let again = try shop.launch().start()
        try await again.quiet()
        #expect(again.observer.heard.calls.isEmpty)
        shop.store.state.withLock { $0.faults["finish"] = [] }
        try await shop.sees("the finish") {
            !shop.store.finished.isEmpty && shop.journalFiles.isEmpty
        }
        #expect(shop.store.finished == ["2000000000000001"])
        #expect(shop.journalFiles == [])
        #expect(again.observer.heard.calls.isEmpty)
    }

    @Test func `the answer to a chosen plan returns until it is finished, beside its period`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.turbo)
        try await app.hears("the period") { $0.purchased.count == 1 }
        let period = try #require(shop.store.transactions.first)
        shop.store.state.withLock { $0.period = period }
        app.buy(Shop.fuel)
        try await app.hears("the answer") { $0.purchased.count == 2 }
        #expect(app.observer.heard.purchased == [period.transactionId, period.transactionId])
        app.queue.remove(app.observer)

        let second = try shop.launch().start()
        try await second.hears("both again") { $0.purchased.count == 2 }
        let products = second.queue.transactions.map(\.payment.productIdentifier)
        #expect(products.sorted() == [Shop.fuel, Shop.turbo])
        let ofPeriod = try #require(
            second.queue.transactions.first { $0.payment.productIdentifier == Shop.turbo })
        second.queue.finishTransaction(ofPeriod)
        try await second.hears("the period removed") { $0.removed.count == 1 }
        #expect(shop.store.finished == [period.transactionId])
        #expect(second.queue.transactions.map(\.payment.productIdentifier) == [Shop.fuel])
        second.queue.remove(second.observer)

        let third = try shop.launch().start()
        try await third.hears("the answer again") { !$0.purchased.isEmpty }
        let answer = try #require(third.queue.transactions.first)
        #expect(answer.payment.productIdentifier == Shop.fuel)
        #expect(answer.transactionIdentifier == period.transactionId)
        shop.store.next("finish", .dropBefore, .dropAfter)
        third.queue.finishTransaction(answer)
        try await third.hears("the answer removed") { $0.removed.count == 1 }
        try await shop.sees("an empty journal") { shop.journalFiles == [] }
        #expect(shop.store.state.withLock { $0.finishedAnswers.count } == 1)
        #expect(shop.store.finished == [period.transactionId])
        third.queue.remove(third.observer)

        let lists = shop.store.count("transactions")
        let fourth = try shop.launch().start()
        fourth.buy("com.example.later")
        try await fourth.hears("a later answer alone") { $0.purchased.count == 1 }
        #expect(shop.store.count("transactions") > lists)
        #expect(
            fourth.queue.transactions.map(\.payment.productIdentifier) == ["com.example.later"])
    }

    @Test func `a failed transaction returns until it is finished`() async throws {
        let shop = try Shop()
        let app = try shop.launch(sheet: CancellingSheet()).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == .paymentCancelled)
        let again = try shop.launch().start()
        try await again.hears("failed again") { $0.failed.count == 1 }
        again.queue.finishTransaction(try #require(again.observer.heard.transactions.first))
        try await again.hears("removed") { $0.removed == ["none"] }
        #expect(shop.journalFiles == [])
        #expect(shop.store.transactions.isEmpty)
    }

    @Test func `purchases of other devices appear and disappear`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("own") { $0.purchased.count == 1 }
        let other = shop.store.buyElsewhere(Shop.turbo)
        try await app.hears("other") { $0.purchased.count == 2 }
        #expect(app.observer.heard.purchased.last == other.transactionId)
        #expect(app.observer.heard.receipts.last??.contains(other.transactionId) == true)
        shop.store.finishElsewhere(other.transactionId)
        try await app.hears("removed") { $0.removed == [other.transactionId] }
    }

    @Test func `a second observer is not called again, and removing the last stops the calls`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let late = Ear(receiptPath: "")
        app.queue.add(late)
        try await app.quiet()
        #expect(late.heard.calls.isEmpty)
        #expect(app.queue.transactionObservers.count == 2)
        app.queue.remove(late)
        app.queue.remove(app.observer)
        try await app.quiet()
        let calls = shop.store.log.count
        shop.store.buyElsewhere(Shop.turbo)
        try await app.quiet()
        #expect(shop.store.log.count == calls)
        #expect(app.queue.transactions.isEmpty)
        app.queue.add(app.observer)
        try await app.hears("what was missed") { $0.purchased.count == 2 }
        #expect(app.observer.heard.calls.last == ["1"])
    }

    @Test func `a payment added before any observer waits for one`() async throws {
        let shop = try Shop()
        let app = try shop.launch()
        app.buy(Shop.fuel)
        try await app.quiet()
        #expect(shop.store.log.isEmpty)
        #expect(shop.journalFiles.count == 1)
        _ = app.start()
        try await app.hears("purchased") { $0.purchased.count == 1 }
    }

    @Test func `a new app version fetches a new receipt`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        app.queue.remove(app.observer)
        let before = shop.store.count("receipt")
        let again = try shop.launch(version: "2.0").start()
        try await again.hears("again") { $0.purchased.count == 1 }
        #expect(shop.store.count("receipt") == before + 1)
        again.queue.remove(again.observer)
        let third = try shop.launch(version: "2.0").start()
        try await third.hears("again") { $0.purchased.count == 1 }
        #expect(shop.store.count("receipt") == before + 1)
    }

    @Test func `a deleted receipt is written again at launch`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try FileManager.default.removeItem(atPath: shop.home + "/StoreKit/sandboxReceipt")
        let again = try shop.launch().start()
        try await again.hears("again") { $0.purchased.count == 1 }
        #expect(shop.receipt == "receipt 2000000000000001")
    }

    @Test func `an approval ends when its payment is asked for again`() async throws {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet)
        let parts = try app.engine.parts.get()
        try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        _ = app.start()
        let mayPost = DispatchSemaphore(value: 0)
        app.engine.courier.async { mayPost.wait() }
        app.buy(Shop.fuel)
        sheet.mayClose.signal()
        try await shop.sees("the approval") {
            app.engine.look { $0.items.values.contains { $0.customer != nil } }
        }
        sheet.isOpen.withLock { $0 = false }
        shop.store.state.withLock {
            $0.token = "gone"
            $0.account = nil
        }
        mayPost.signal()
        try await shop.sees("the second sheet") { sheet.isOpen.withLock { $0 } }
        let journal = Journal(home: parts.home)
        let attempts = journal.contents(of: parts.connection.configuration.scope).attempts
        #expect(attempts.map(\.stage) == [.written])
        // The process ends with its sheet open.
        app.queue.remove(app.observer)

        let again = try shop.launch().start()
        again.buy(Shop.turbo)
        try await again.hears("purchased") { $0.purchased.count == 1 }
        #expect(shop.store.transactions.map(\.productId) == [Shop.turbo])
        sheet.mayClose.signal()
    }

    @Test func `a lost session holds an approved payment until its account returns`()
        async throws
    {
        let shop = try Shop()
        let sheet = OtherSheet(inner: AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        shop.store.next("attempts", .dropAfter)
        shop.store.state.withLock { $0.endsSessionAfterAttempt = true }
        app.buy(Shop.fuel)
        try await app.quiet(looksAtHome: true)
        #expect(app.observer.heard.calls == [["0"]])
        #expect(shop.journalFiles.count == 1)
        app.queue.remove(app.observer)

        let again = try shop.launch(sheet: sheet).start()
        try await again.hears("purchasing") { $0.calls == [["0"]] }
        again.buy(Shop.turbo)
        try await again.hears("both") { $0.purchased.count == 2 }
        #expect(shop.store.transactions.map(\.productId) == [Shop.fuel, Shop.turbo])
        #expect(again.observer.heard.failed.isEmpty)
    }
}

/// The automatic sheet under another type.
struct OtherSheet: PaymentSheet {
    let inner: AutomaticSheet

    var showsDetails: Bool { true }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> { inner.signIn(prompt, trouble: trouble) }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { inner.approve(prompt) }

    func show(_ sentence: String) {}
}
