import Foundation
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// What an app hears of a restore, whatever the store and the person do.
@Suite struct RestoreTests {
    private typealias End = Ear.RestoreEnd

    @Test func `a restore delivers owned purchases with their originals and then ends`()
        async throws
    {
        let shop = try Shop()
        shop.store.own(2, username: "driver")
        shop.store.own(1, of: Shop.fuel)
        let app = try shop.launch().start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        let heard = app.observer.heard
        #expect(heard.restoreEnds == [End(code: nil, restoredCount: 2)])
        #expect(heard.calls == [["3", "3"]])
        #expect(!heard.wasOffMain)
        #expect(
            heard.restored.map(\.transactionIdentifier)
                == ["2000000000000004", "2000000000000005"])
        #expect(
            heard.restoredReceipts
                == ["receipt of 2000000000000004", "receipt of 2000000000000005"])
        #expect(shop.receipt == "receipt ")
        let first = try #require(heard.restored.first)
        #expect(first.payment.applicationUsername == "driver")
        #expect(first.transactionDate == Date(timeIntervalSince1970: 1_700_000_900.5))
        let original = try #require(first.original)
        #expect(original === first.original)
        #expect(original.transactionState == .purchased)
        #expect(original.transactionIdentifier == "2000000000000001")
        #expect(original.transactionDate == Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(original.payment.productIdentifier == Shop.turbo)
        #expect(original.original == nil)
        app.queue.finishTransaction(original)
        #expect(Set(app.queue.transactions) == Set(heard.restored))
    }

    @Test func `restore pages arrive one after another, with one end at last`() async throws {
        let shop = try Shop()
        shop.store.own(7)
        shop.store.state.withLock { $0.restorePageMax = 3 }
        let app = try shop.launch().start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        try await app.quiet()
        #expect(app.observer.heard.calls.map(\.count) == [3, 3, 1])
        #expect(app.observer.heard.restoreEnds == [End(code: nil, restoredCount: 7)])
        #expect(shop.store.count("restores") == 3)
    }

    @Test func `five thousand restored transactions arrive in pages and leave when finished`()
        async throws
    {
        let shop = try Shop()
        shop.store.own(5_000)
        let app = try shop.launch().start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        let heard = app.observer.heard
        #expect(heard.restoreEnds == [End(code: nil, restoredCount: 5_000)])
        #expect(heard.calls.allSatisfy { $0.count <= 500 })
        #expect(Set(heard.restored.map(\.transactionIdentifier)).count == 5_000)
        #expect(heard.restoredReceipts.allSatisfy { $0 != nil })
        for transaction in heard.restored.prefix(50) { app.queue.finishTransaction(transaction) }
        try await app.hears("some leave") { $0.removed.count == 50 }
        #expect(app.queue.transactions.count == 4_950)
    }

    @Test(
        arguments: [(nil, nil), ("finish", nil), ("fail", .unknown)] as [(String?, SKError.Code?)],
        ["sandbox", "production"])
    func `an empty restore ends as configured in both environments`(
        chosen: (setting: String?, code: SKError.Code?), environment: String
    ) async throws {
        let shop = try Shop()
        shop.store.own(1, of: Shop.fuel)
        var settings = [
            "STOREKIT_URL": "http://127.0.0.1:\(shop.store.server.port)/\(environment)"
        ]
        settings["STOREKIT_EMPTY_RESTORE"] = chosen.setting
        let app = try shop.launch(extra: settings).start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(app.observer.heard.restoreEnds == [End(code: chosen.code, restoredCount: 0)])
        #expect(app.observer.heard.calls.isEmpty)
        let file = environment == "sandbox" ? "sandboxReceipt" : "receipt"
        let receipt = try String(contentsOfFile: shop.home + "/StoreKit/" + file, encoding: .utf8)
        #expect(receipt == "receipt ")
    }

    @Test func `a restore that finds something does not fail`() async throws {
        let shop = try Shop()
        shop.store.own(1)
        let app = try shop.launch(extra: ["STOREKIT_EMPTY_RESTORE": "fail"]).start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(app.observer.heard.restoreEnds == [End(code: nil, restoredCount: 1)])
    }

    @Test func `a restore with a user name asks for that name`() async throws {
        let shop = try Shop()
        shop.store.own(1, username: "ada")
        shop.store.own(1, username: "bob")
        let app = try shop.launch().start()
        app.queue.restoreCompletedTransactions(withApplicationUsername: "bob")
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(app.observer.heard.restored.map(\.payment.applicationUsername) == ["bob"])
    }

    @Test(arguments: [false, true])
    func `a cancelled restore is distinguishable from a failed one`(isSignedIn: Bool) async throws {
        let shop = try Shop()
        shop.store.own(1)
        if isSignedIn {
            let before = try shop.launch().start()
            before.buy(Shop.fuel)
            try await before.hears("purchased") { $0.purchased.count == 1 }
            before.queue.remove(before.observer)
        }
        let app = try shop.launch(sheet: CancellingSheet()).start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(
            app.observer.heard.restoreEnds == [End(code: .paymentCancelled, restoredCount: 0)])
        #expect(shop.store.count("restores") == 0)
    }

    @Test func `the restore sheet says what signing in is for and asks nobody twice`() async throws
    {
        let shop = try Shop()
        shop.store.own(1)
        let sheet = ListeningSheet(
            inner: AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        app.queue.restoreCompletedTransactions()
        app.queue.restoreCompletedTransactions()
        try await app.hears("both ends") { $0.restoreEnds.count == 2 }
        #expect(
            sheet.prompts.withLock { $0 }
                == [SheetPrompt(productIdentifier: "", quantity: 0, isRestoring: true)])
    }

    @Test func `two restores at once run one after the other, each with its end`() async throws {
        let shop = try Shop()
        shop.store.own(2)
        let app = try shop.launch().start()
        app.queue.restoreCompletedTransactions()
        app.queue.restoreCompletedTransactions()
        try await app.hears("both ends") { $0.restoreEnds.count == 2 }
        let heard = app.observer.heard
        #expect(
            heard.restoreEnds
                == [End(code: nil, restoredCount: 2), End(code: nil, restoredCount: 4)])
        #expect(Set(heard.restored.map(\.transactionIdentifier)).count == 4)
    }

    @Test(arguments: [
        FakeStore.Fault.dropBefore, .dropAfter, .status(503), .nonsense, .unauthorized,
    ])
    func `a restore with a lost answer asks again and delivers nothing twice`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try Shop()
        shop.store.own(4)
        shop.store.state.withLock { $0.restorePageMax = 2 }
        let app = try shop.launch().start()
        shop.store.next("restores", fault)
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        let heard = app.observer.heard
        #expect(heard.restoreEnds == [End(code: nil, restoredCount: 4)])
        #expect(Set(heard.restored.map(\.transactionIdentifier)).count == 4)
        #expect(shop.store.transactions.count == 8)
    }

    @Test(arguments: [
        FakeStore.Fault.status(500), .dropBefore, .refusal(409, "tooManyRestored"),
    ])
    func `a restore that fails half-way ends once and keeps what arrived`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try Shop()
        shop.store.own(4)
        shop.store.state.withLock { $0.restorePageMax = 2 }
        let app = try shop.launch().start()
        shop.store.next("restores", .late(milliseconds: 0))
        // A connection that is kept is tried twice by itself.
        for _ in 0..<10 { shop.store.next("restores", fault) }
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        try await app.quiet()
        let heard = app.observer.heard
        #expect(heard.restoreEnds == [End(code: .unknown, restoredCount: 2)])
        #expect(Set(app.queue.transactions) == Set(heard.restored))
        // The next one is not kept from it.
        shop.store.state.withLock { $0.faults["restores"] = [] }
        app.queue.restoreCompletedTransactions()
        try await app.hears("the next end") { $0.restoreEnds.count == 2 }
        #expect(app.observer.heard.restoreEnds.last == End(code: nil, restoredCount: 6))
    }

    @Test func `missing receipts end a restore and arrive later`() async throws {
        let shop = try Shop()
        shop.store.own(2)
        let app = try shop.launch().start()
        shop.store.state.withLock {
            $0.faults["transaction-receipts"] = Array(repeating: .dropBefore, count: 1_000)
        }
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(app.observer.heard.restoreEnds == [End(code: .unknown, restoredCount: 0)])
        shop.store.state.withLock { $0.faults["transaction-receipts"] = [] }
        try await app.hears("them all the same") { $0.restored.count == 2 }
        #expect(app.observer.heard.restoredReceipts.allSatisfy { $0 != nil })
        #expect(app.observer.heard.restoreEnds.count == 1)
    }

    @Test func `an account signed out during a restore gets the rest after signing in`()
        async throws
    {
        let shop = try Shop()
        shop.store.own(4)
        shop.store.state.withLock { $0.restorePageMax = 2 }
        let sheet = OtherSheet(inner: AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        shop.store.state.withLock { $0.endsSessionAfterRestore = true }
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(app.observer.heard.restoreEnds == [End(code: .unknown, restoredCount: 0)])
        app.buy(Shop.fuel)
        try await app.hears("what was given back") {
            $0.restored.count == 2 && $0.purchased.count == 1
        }
        #expect(app.observer.heard.restoreEnds.count == 1)
    }

    @Test func `unfinished restored transactions return at the next launch without an end`()
        async throws
    {
        let shop = try Shop()
        shop.store.own(2)
        let app = try shop.launch().start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        let done = try #require(app.observer.heard.restored.first)
        app.queue.finishTransaction(done)
        try await app.hears("removed") { $0.removed == [done.transactionIdentifier] }
        #expect(shop.store.finished.contains(done.transactionIdentifier ?? ""))
        app.queue.remove(app.observer)
        let again = try shop.launch().start()
        try await again.hears("the other") { $0.restored.count == 1 }
        try await again.quiet()
        let heard = again.observer.heard
        #expect(heard.calls == [["3"]])
        #expect(heard.restored.first?.original?.transactionIdentifier == "2000000000000002")
        #expect(heard.restoreEnds.isEmpty)
    }

    @Test func `a restore before any observer waits for one`() async throws {
        let shop = try Shop()
        shop.store.own(1)
        let app = try shop.launch()
        app.queue.restoreCompletedTransactions()
        try await app.quiet()
        #expect(shop.store.log.isEmpty)
        _ = app.start()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(app.observer.heard.restoreEnds == [End(code: nil, restoredCount: 1)])
    }

    @Test func `restore events without an observer are delivered to the next one`() async throws {
        let shop = try Shop()
        shop.store.own(1)
        let app = try shop.launch().start()
        let gate = DispatchSemaphore(value: 0)
        shop.store.next("restores", .held(gate))
        app.queue.restoreCompletedTransactions()
        try await shop.sees("the question") { shop.store.count("restores") == 1 }
        app.queue.remove(app.observer)
        gate.signal()
        try await shop.sees("the end kept") {
            app.engine.board.untoldEnds.withLock { $0.count } == 1
        }
        #expect(app.observer.heard.calls.isEmpty)
        app.queue.add(app.observer)
        try await app.hears("both") { $0.restoreEnds == [End(code: nil, restoredCount: 1)] }
    }

    @Test func `a restore rewrites the receipt file`() async throws {
        let shop = try Shop()
        shop.store.own(1)
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let whole = try #require(shop.receipt)
        try Data("damaged".utf8).write(
            to: URL(fileURLWithPath: shop.home + "/StoreKit/sandboxReceipt"))
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(shop.receipt == whole)
    }

    @Test func `a restore without a store fails`() async throws {
        let app = App(parts: .failure(FailureReason(.paymentNotAllowed, "None."))).start()
        app.queue.restoreCompletedTransactions()
        try await app.hears("the end") { !$0.restoreEnds.isEmpty }
        #expect(
            app.observer.heard.restoreEnds == [End(code: .paymentNotAllowed, restoredCount: 0)])
    }
}

/// A sheet that notes what people were asked to sign in for.
private final class ListeningSheet: PaymentSheet {
    let inner: AutomaticSheet
    let prompts = Mutex<[SheetPrompt]>([])

    init(inner: AutomaticSheet) {
        self.inner = inner
    }

    var showsDetails: Bool { false }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> {
        prompts.withLock { $0.append(prompt) }
        return inner.signIn(prompt, trouble: trouble)
    }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { inner.approve(prompt) }

    func show(_ sentence: String) {}
}
