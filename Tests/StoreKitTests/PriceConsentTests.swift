import Foundation
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// What an app and its person see of a price that the store waits for an answer to.
@Suite struct PriceConsentTests {
    /// A delegate that answers as it is told and counts.
    final class Decider: NSObject, SKPaymentQueueDelegate, Sendable {
        /// Of each call, whether it was on the main thread.
        let asked = Mutex<[Bool]>([])
        let isWilling: Bool

        init(isWilling: Bool) {
            self.isWilling = isWilling
        }

        func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
            let isMain = MainQueue.isCurrent
            asked.withLock { $0.append(isMain) }
            return isWilling
        }
    }

    /// Answers from a list, and then leaves everything for later.
    final class Person: PaymentSheet {
        let inner: AutomaticSheet
        private let answers: Mutex<[SheetAnswer<Bool>]>
        let seen = Mutex<[PriceConsentPrompt]>([])
        let told = Mutex<[String]>([])

        init(_ shop: Shop, _ answers: SheetAnswer<Bool>...) throws {
            inner = AutomaticSheet(account: try shop.configuration.account)
            self.answers = Mutex(answers)
        }

        var showsDetails: Bool { true }

        func signIn(
            _ prompt: SheetPrompt, trouble: String?
        ) -> SheetAnswer<StoreConfiguration.Account> { inner.signIn(prompt, trouble: trouble) }

        func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .given(true) }

        func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool> {
            seen.withLock { $0.append(prompt) }
            return answers.withLock { $0.isEmpty ? .cancelled : $0.removeFirst() }
        }

        func show(_ sentence: String) { told.withLock { $0.append(sentence) } }

        var count: Int { seen.withLock { $0.count } }
    }

    /// An app with somebody signed in, who listens once the delegate is there.
    private func launch(
        _ shop: Shop, _ sheet: any PaymentSheet, delegate: Decider? = nil
    ) throws -> App {
        let app = try shop.launch(sheet: sheet)
        app.queue.delegate = delegate
        if let delegate { shop.keep(delegate) }
        guard case .success(let parts) = app.engine.parts else { return app }
        if parts.connection.customer == nil {
            try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        }
        return app.start()
    }

    @Test(arguments: [(true, .agreed), (false, .declined)] as [(Bool, PriceConsentState)])
    func `a price change waiting at launch is shown and the answer reaches the store`(
        agrees: Bool, state: PriceConsentState
    ) async throws {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        let person = try Person(shop, .given(agrees))
        let app = try launch(shop, person)
        try await shop.sees("the answer") { shop.store.priceConsents == [state] }
        #expect(
            person.seen.withLock { $0 } == [
                PriceConsentPrompt(
                    productIdentifier: Shop.turbo, title: "Title of \(Shop.turbo)",
                    oldPrice: "$1.99", newPrice: "$2.99", account: "ada")
            ])
        app.queue.showPriceConsentIfNeeded()
        try await app.quiet()
        #expect(person.count == 1)
        #expect(app.observer.heard.calls.isEmpty, "no transaction comes of it")
    }

    @Test func `a price change while the app runs is asked about once, on the main thread`()
        async throws
    {
        let shop = try Shop()
        let person = try Person(shop, .given(true))
        let decider = Decider(isWilling: true)
        let app = try launch(shop, person, delegate: decider)
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        shop.store.askAboutPrice(of: Shop.turbo)
        try await shop.sees("the answer") { shop.store.priceConsents == [.agreed] }
        // Another list holds nothing new.
        app.queue.remove(app.observer)
        app.queue.add(app.observer)
        try await app.quiet()
        #expect(decider.asked.withLock { $0 } == [true])
        #expect(person.count == 1)
    }

    @Test func `a delegate postpones the price question until the app asks for it`() async throws {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        shop.store.askAboutPrice(of: Shop.fuel)
        let person = try Person(shop, .given(true), .given(false))
        let decider = Decider(isWilling: false)
        let app = try launch(shop, person, delegate: decider)
        try await shop.sees("the question") { !decider.asked.withLock { $0.isEmpty } }
        try await app.quiet()
        #expect(person.count == 0)
        #expect(shop.store.priceConsents == [.pending, .pending])
        app.queue.showPriceConsentIfNeeded()
        try await shop.sees("the answers") { shop.store.priceConsents == [.agreed, .declined] }
        app.queue.showPriceConsentIfNeeded()
        try await app.quiet()
        #expect(person.count == 2)
        #expect(
            decider.asked.withLock { $0.count } == 1, "once for both, and not by the app's wish")
    }

    @Test func `showPriceConsentIfNeeded shows nothing when nothing waits`() async throws {
        let shop = try Shop()
        let person = try Person(shop)
        let decider = Decider(isWilling: true)
        let app = try launch(shop, person, delegate: decider)
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        app.queue.showPriceConsentIfNeeded()
        try await app.quiet()
        #expect(person.count == 0)
        #expect(decider.asked.withLock { $0.isEmpty })
    }

    @Test func `a price question left for later returns at the next launch`() async throws {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        let person = try Person(shop, .cancelled, .cancelled, .given(true))
        let first = try launch(shop, person)
        try await shop.sees("the sheet") { person.count == 1 }
        try await first.quiet()
        #expect(person.count == 1, "nobody is pressed")
        first.queue.showPriceConsentIfNeeded()
        try await shop.sees("it again") { person.count == 2 }
        first.queue.remove(first.observer)
        #expect(shop.store.priceConsents == [.pending])
        let later = try launch(shop, person)
        try await shop.sees("the answer") { shop.store.priceConsents == [.agreed] }
        later.queue.remove(later.observer)
    }

    @Test func `an answer given elsewhere withdraws the price question`() async throws {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        let person = try Person(shop)
        let decider = Decider(isWilling: false)
        let app = try launch(shop, person, delegate: decider)
        try await shop.sees("the question") { !decider.asked.withLock { $0.isEmpty } }
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        shop.store.answerPriceElsewhere(1, .declined)
        try await shop.sees("the news") { app.engine.look { $0.priceConsents.isEmpty } }
        app.queue.showPriceConsentIfNeeded()
        try await app.quiet()
        #expect(person.count == 0)
    }

    @Test func `a late price answer is reported as too late`() async throws {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        shop.store.next("agree", .refusal(409, "priceConsentAnswered"))
        let person = try Person(shop, .given(true))
        let app = try launch(shop, person)
        try await shop.sees("the sentence") { person.told.withLock { $0 == ["refused"] } }
        app.queue.showPriceConsentIfNeeded()
        try await app.quiet()
        #expect(person.count == 1)
    }

    @Test
    func `a lost price answer is sent again, and the question returns if it never arrives`()
        async throws
    {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        shop.store.askAboutPrice(of: Shop.fuel)
        shop.store.next("agree", .dropAfter)
        shop.store.next("decline", .status(500), .status(500), .status(500))
        let person = try Person(shop, .given(true), .given(false), .given(false))
        let app = try launch(shop, person)
        try await shop.sees("a sentence") { person.told.withLock { $0.count == 1 } }
        #expect(shop.store.priceConsents == [.agreed, .pending])
        #expect(shop.store.count("agree") == 2)
        try await app.quiet()
        app.queue.showPriceConsentIfNeeded()
        try await shop.sees("the answer") { shop.store.priceConsents == [.agreed, .declined] }
        #expect(person.count == 3)
    }

    @Test func `the automatic sheet agrees and the cancelling sheet leaves it for later`()
        async throws
    {
        let shop = try Shop()
        shop.store.askAboutPrice(of: Shop.turbo)
        let cancelling = try launch(shop, CancellingSheet())
        try await shop.sees("the list") { shop.store.count("updates") > 0 }
        try await cancelling.quiet()
        #expect(shop.store.priceConsents == [.pending])
        cancelling.queue.remove(cancelling.observer)
        let account = try shop.configuration.account
        let automatic = try launch(shop, AutomaticSheet(account: account))
        try await shop.sees("the answer") { shop.store.priceConsents == [.agreed] }
        automatic.queue.remove(automatic.observer)
    }

    @Test func `no price question is asked without an observer`() async throws {
        let shop = try Shop()
        let person = try Person(shop, .given(true))
        let app = try launch(shop, person)
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        app.queue.remove(app.observer)
        shop.store.askAboutPrice(of: Shop.turbo)
        app.queue.showPriceConsentIfNeeded()
        try await app.quiet()
        #expect(person.count == 0)
        app.queue.add(app.observer)
        try await shop.sees("the answer") { shop.store.priceConsents == [.agreed] }
    }
}
