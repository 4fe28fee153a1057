import Foundation
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// Offer codes, from the sheet to the queue.
@Suite struct CodeRedemptionTests {
    /// A person who types codes from a list, and then gives up.
    final class Person: PaymentSheet {
        private let codes: Mutex<[String]>
        let troubles = Mutex<[String?]>([])
        let told = Mutex<[String]>([])

        init(_ codes: String...) {
            self.codes = Mutex(codes)
        }

        var showsDetails: Bool { false }

        func signIn(
            _ prompt: SheetPrompt, trouble: String?
        ) -> SheetAnswer<StoreConfiguration.Account> {
            .given(StoreConfiguration.Account(name: "ada", password: FakeStore.password))
        }

        func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .given(true) }

        func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String> {
            troubles.withLock { $0.append(trouble) }
            return codes.withLock { $0.isEmpty ? .cancelled : .given($0.removeFirst()) }
        }

        func show(_ sentence: String) { told.withLock { $0.append(sentence) } }
    }

    private func shop() throws -> Shop {
        let shop = try Shop()
        shop.store.state.withLock { $0.offerCodes = ["SPRING": Shop.fuel] }
        return shop
    }

    @Test func `a redeemed code delivers one purchase with its receipt on disk`() async throws {
        let shop = try shop()
        let app = try shop.launch(sheet: Person("SPRING")).start()
        app.queue.presentCodeRedemptionSheet()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(app.observer.heard.calls == [["1"]])
        let bought = try #require(app.observer.heard.transactions.first)
        #expect(bought.payment.productIdentifier == Shop.fuel)
        #expect(shop.store.transactions.count == 1)
        #expect(shop.journalFiles == [])
        #expect(shop.receipt == "receipt \(bought.transactionIdentifier ?? "")")
        try await app.quiet()
        #expect(app.observer.heard.purchased.count == 1, "the news of it tells nothing more")
        app.queue.finishTransaction(bought)
        try await app.hears("removed") { $0.removed.count == 1 }
    }

    @Test func `a wrong code is asked for again with the store's sentence`() async throws {
        let shop = try shop()
        let person = Person("WRONG", "SPRING")
        let app = try shop.launch(sheet: person).start()
        app.queue.presentCodeRedemptionSheet()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(person.troubles.withLock { $0 } == [nil, "This code is not valid."])
        #expect(shop.journalFiles == [])
    }

    @Test func `three wrong codes end the sheet and the app hears nothing`() async throws {
        let shop = try shop()
        let person = Person("A", "B", "C", "SPRING")
        let app = try shop.launch(sheet: person).start()
        app.queue.presentCodeRedemptionSheet()
        try await shop.sees("the end") { !person.told.withLock { $0.isEmpty } }
        #expect(person.told.withLock { $0 } == ["This code is not valid."])
        #expect(app.observer.heard.calls.isEmpty && shop.store.transactions.isEmpty)
        #expect(shop.store.state.withLock { $0.redemptions.map(\.code) } == ["A", "B", "C"])
        #expect(
            shop.store.state.withLock { Set($0.redemptions.map(\.attemptId)).count } == 3,
            "each has an id of its own")
    }

    @Test func `a code refused by the rules says why and fails no payment`() async throws {
        let shop = try shop()
        shop.store.state.withLock {
            $0.refusal = RefusalBody(code: .offerCodeUsedUp, message: "It is used up.")
        }
        let person = Person("SPRING")
        let app = try shop.launch(sheet: person).start()
        app.queue.presentCodeRedemptionSheet()
        try await shop.sees("the word") { person.troubles.withLock { $0.count == 2 } }
        #expect(person.troubles.withLock { $0 } == [nil, "It is used up."])
        #expect(app.observer.heard.calls.isEmpty && shop.journalFiles == [])
    }

    @Test func `a redemption with a lost answer is repeated under the same id`() async throws {
        let shop = try shop()
        shop.store.next("redeem", .dropAfter, .nonsense)
        let app = try shop.launch(sheet: Person("SPRING")).start()
        app.queue.presentCodeRedemptionSheet()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(shop.store.transactions.count == 1)
        // The store's news may tell of the purchase before the code is asked for again, and the
        // transport may ask again by itself.
        try await shop.sees("another request") {
            shop.store.state.withLock { $0.redemptions.count } >= 2
        }
        let ids = shop.store.state.withLock { $0.redemptions.map(\.attemptId) }
        #expect(Set(ids).count == 1)
    }

    @Test(arguments: [FakeStore.Fault.dropBefore, .dropAfter])
    func `a redemption with an unknown outcome is completed by the next launch`(
        fault: FakeStore.Fault
    ) async throws {
        let shop = try shop()
        let person = Person("SPRING")
        shop.store.state.withLock {
            $0.faults["redeem"] = Array(repeating: fault, count: 100)
        }
        let first = try shop.launch(sheet: person)
        first.queue.presentCodeRedemptionSheet()
        try await shop.sees("the word") { !person.told.withLock { $0.isEmpty } }
        #expect(person.told.withLock { $0.contains { $0.contains("next launch") } })
        #expect(shop.journalFiles.count == 1)
        shop.store.state.withLock { $0.faults["redeem"] = [] }
        let again = try shop.launch(sheet: Person()).start()
        try await again.hears("purchased") { $0.purchased.count == 1 }
        try await shop.sees("an empty journal") { shop.journalFiles.isEmpty }
        try await again.quiet()
        #expect(again.observer.heard.purchased.count == 1)
        #expect(shop.store.transactions.count == 1)
    }

    @Test func `an offer for the next renewal is shown to the customer, not to the app`()
        async throws
    {
        let shop = try shop()
        let running = shop.store.buyElsewhere(Shop.fuel)
        shop.store.finishElsewhere(running.transactionId)
        shop.store.state.withLock { $0.renewing = running }
        let person = Person("SPRING")
        let app = try shop.launch(sheet: person).start()
        app.queue.presentCodeRedemptionSheet()
        try await shop.sees("the word") { !person.told.withLock { $0.isEmpty } }
        #expect(person.told.withLock { $0 } == ["The offer begins with the next renewal."])
        try await app.quiet()
        #expect(app.observer.heard.calls.isEmpty)
    }

    @Test func `the automatic sheet redeems its configured code and the cancelling sheet cancels`()
        async throws
    {
        let shop = try shop()
        let settings = try #require(
            try StoreConfiguration.read(
                shop.settings().merging(["STOREKIT_OFFER_CODE": "SPRING"]) { $1 }
            ).get())
        #expect(settings.offerCode == "SPRING")
        let sheet = AutomaticSheet(account: settings.account, offerCode: settings.offerCode)
        let app = try shop.launch(sheet: sheet).start()
        app.queue.presentCodeRedemptionSheet()
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let prompt = SheetPrompt(productIdentifier: "", quantity: 1)
        #expect(CancellingSheet().offerCode(prompt, trouble: nil) == .cancelled)
        guard case .unable = AutomaticSheet(account: nil).offerCode(prompt, trouble: nil) else {
            Issue.record("a code came from nowhere")
            return
        }
        guard case .unable = sheet.offerCode(prompt, trouble: "No.") else {
            Issue.record("it tries the same code again")
            return
        }
    }

    @Test func `no code is redeemed while purchases are restricted`() async throws {
        let shop = try shop()
        let person = Person("SPRING")
        let app = try shop.launch(sheet: person, extra: ["STOREKIT_PAYMENTS": "restricted"])
            .start()
        app.queue.presentCodeRedemptionSheet()
        try await shop.sees("the word") { !person.told.withLock { $0.isEmpty } }
        #expect(shop.store.count("redeem") == 0)
    }
}
