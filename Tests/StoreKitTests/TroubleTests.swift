import Foundation
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// What damage, refusals and a change of account may not do to a purchase.
@Suite struct TroubleTests {
    @Test func `a lost device record buys nothing twice`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        shop.store.state.withLock {
            $0.faults["attempts"] = [.dropAfter]
            // Neither list nor updates may settle the doubt before the record is lost.
            $0.failing = ["attempts", "updates", "transactions"]
        }
        app.buy(Shop.fuel)
        try await shop.sees("a second post") { shop.store.count("attempts") > 1 }
        app.queue.remove(app.observer)
        shop.store.state.withLock { $0.failing = [] }
        try Data("{".utf8).write(to: URL(fileURLWithPath: shop.home + "/device.json"))

        let again = try shop.launch().start()
        again.buy(Shop.turbo)
        try await again.hears("both") { $0.purchased.count == 2 }
        #expect(shop.store.transactions.map(\.productId) == [Shop.fuel, Shop.turbo])
        try await shop.sees("an empty journal") { shop.journalFiles.isEmpty }
    }

    @Test func `a finish unknown to the store leaves the journal`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let lists = shop.store.count("transactions")
        shop.store.next("finish", .refusal(404, "transactionUnknown"))
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await app.hears("it comes back") { $0.purchased.count == 2 }
        #expect(shop.store.count("transactions") > lists)
        #expect(shop.journalFiles == [])
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.last))
        try await shop.sees("the finish") { shop.store.finished == ["2000000000000001"] }
    }

    @Test func `a finish stays in the journal while another store is at the address`() async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        shop.store.next("finish", .refusal(404, "appUnknown"))
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(shop.journalFiles.count == 1, "nobody who owns the transaction refused it")
        app.queue.remove(app.observer)
        let again = try shop.launch().start()
        try await shop.sees("the finish") { shop.store.finished == ["2000000000000001"] }
        #expect(again.observer.heard.purchased.isEmpty)
    }

    @Test func `a finish called while signed out is sent later`() async throws {
        let shop = try Shop()
        let sheet = OtherSheet(inner: AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let parts = try app.engine.parts.get()
        shop.store.state.withLock {
            $0.token = "gone"
            $0.account = nil
        }
        try await shop.sees("nobody signed in") { parts.connection.account == nil }
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(shop.store.finished.isEmpty)
        app.buy(Shop.turbo)
        try await shop.sees("the finish") { shop.store.finished == ["2000000000000001"] }
    }

    @Test(arguments: [false, true])
    func `a purchase waits for the receipt of the account that bought it`(
        sendsReceipts: Bool
    ) async throws {
        let shop = try Shop()
        let sheet = OtherSheet(inner: AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let parts = try app.engine.parts.get()
        shop.store.state.withLock { $0.sendsReceipts = sendsReceipts }
        let mayBring = DispatchSemaphore(value: 0)
        app.engine.receipts.async { mayBring.wait() }
        app.buy(Shop.turbo)
        try await shop.sees("the answer") {
            let isBought = app.engine.look { state in
                state.items.values.contains { item in
                    if case .receiving = item.stage { true } else { false }
                }
            }
            return isBought && app.engine.sent.withLock { ($0 != nil) == sendsReceipts }
        }
        func signIn(_ name: String) throws {
            try parts.connection.signIn(.init(name: name, password: FakeStore.password))
        }
        try signIn("bob")
        mayBring.signal()
        try await shop.sees("it held") { !app.engine.heldReceipts.withLock { $0.isEmpty } }
        try await app.quiet()
        #expect(app.observer.heard.purchased.count == 1)
        try signIn("ada")
        try await app.hears("the purchase") { Set($0.purchased).count == 2 }
        try await shop.sees("nothing held") { app.engine.heldReceipts.withLock { $0.isEmpty } }
    }

    @Test func `an approval that can be neither written nor deleted is not reported as failed`()
        async throws
    {
        let shop = try Shop()
        let sheet = BlockingSheet(
            inner: AutomaticSheet(account: try shop.configuration.account),
            journal: shop.home + "/journal")
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.failed.isEmpty)
        #expect(shop.store.transactions.count == 1)
    }

    @Test func `an approval that cannot be withdrawn is not reported as failed`() async throws {
        let shop = try Shop()
        let sheet = OtherSheet(inner: AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        let mayPost = DispatchSemaphore(value: 0)
        app.engine.courier.async { mayPost.wait() }
        app.buy(Shop.fuel)
        func stages() -> [QueueItem.Stage] {
            app.engine.look { $0.items.values.map(\.stage) }
        }
        try await shop.sees("the approval") {
            if case .sending? = stages().first { true } else { false }
        }
        try BlockingSheet.block(shop.home + "/journal")
        shop.store.state.withLock {
            $0.token = "gone"
            $0.account = nil
        }
        mayPost.signal()
        try await shop.sees("that it is asked for again") {
            stages() == [.writing(wasApproved: true)]
        }
        app.engine.events.sync {}
        try await app.quiet()
        #expect(app.observer.heard.failed.isEmpty)
        #expect(shop.store.transactions.isEmpty)
        try BlockingSheet.unblock(shop.home + "/journal")
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.failed.isEmpty)
        #expect(shop.store.transactions.count == 1)
    }

    @Test func `many requests for a newer receipt share one chain of tries`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let parts = try app.engine.parts.get()
        let customer = try #require(parts.connection.customer)
        shop.store.state.withLock { _ = $0.failing.insert("receipt") }
        let before = shop.store.count("receipt")
        for revision in Int64(100)..<150 { app.engine.refreshReceipt(to: revision, customer) }
        // A poll that was under way may still wish for less, and the last wish counts.
        try await shop.sees("tries") {
            app.engine.refreshReceipt(to: 149, customer)
            return shop.store.count("receipt") - before >= 3
        }
        // A chain makes a try in 40 ms; fifty of them would make hundreds. On a busy machine the
        // while is a longer one.
        let tries = shop.store.count("receipt")
        let clock = ContinuousClock()
        let time = try await clock.measure { try await app.quiet(looksAtHome: true) }
        #expect(shop.store.count("receipt") - tries <= Int(time / .milliseconds(40)) + 15)
        shop.store.state.withLock {
            $0.failing = []
            $0.revision = 149
        }
        try await shop.sees("the end") { app.engine.refresh.withLock { $0 == nil } }
    }

    @Test func `a queue created by the app is called like the default one`() async throws {
        let queue = SKPaymentQueue()
        let ear = Ear(receiptPath: "")
        queue.add(ear)
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.fuel
        queue.add(payment)
        for _ in 0..<12_000 where ear.heard.failed.isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(ear.heard.failed.first?.code == .paymentNotAllowed)
        queue.remove(ear)
    }
}

/// Puts a folder in the place of the attempt's file before it approves.
struct BlockingSheet: PaymentSheet {
    let inner: AutomaticSheet
    let journal: String

    var showsDetails: Bool { false }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> { inner.signIn(prompt, trouble: trouble) }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> {
        do {
            try Self.block(journal)
            return .given(true)
        } catch {
            Issue.record(error)
            return .given(false)
        }
    }

    static func block(_ journal: String) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: journal) {
            try manager.removeItem(atPath: "\(journal)/\(name)")
            try manager.createDirectory(
                atPath: "\(journal)/\(name)/in the way", withIntermediateDirectories: true)
        }
    }

    /// Takes such folders away.
    static func unblock(_ journal: String) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: journal) {
            try manager.removeItem(atPath: "\(journal)/\(name)")
        }
    }

    func show(_ sentence: String) {}
}
