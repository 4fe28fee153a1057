import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// Promotional offers: they travel with a payment, over launches, and are never passed over.
@Suite struct PaymentDiscountTests {
    static let nonce = UUID()
    let discount = SKPaymentDiscount(
        identifier: "summer", keyIdentifier: "KEY", nonce: nonce, signature: "c2ln",
        timestamp: 1_700_000_000_000)

    @Test func `a payment discount keeps the values it was made of`() {
        #expect(discount.identifier == "summer")
        #expect(discount.keyIdentifier == "KEY")
        #expect(discount.nonce == Self.nonce)
        #expect(discount.signature == "c2ln")
        #expect(discount.timestamp == 1_700_000_000_000)
    }

    @Test func `copies of a payment keep its offer and differ by it`() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "a"
        let plain = try #require(payment.copy() as? SKPayment)
        payment.paymentDiscount = discount
        let copy = try #require(payment.copy() as? SKPayment)
        let mutable = try #require(copy.mutableCopy() as? SKMutablePayment)
        #expect(copy.paymentDiscount?.identifier == "summer")
        #expect(mutable.paymentDiscount?.timestamp == 1_700_000_000_000)
        #expect(copy == payment && copy.hash == payment.hash)
        #expect(plain != payment)
        mutable.paymentDiscount = nil
        #expect(mutable == plain)
        #expect(copy.paymentDiscount != nil)
    }

    private var body: DiscountBody {
        DiscountBody(
            identifier: "summer", keyIdentifier: "KEY", nonce: Self.nonce.uuidString.lowercased(),
            signature: "c2ln", timestamp: 1_700_000_000_000)
    }

    private func buy(with discount: SKPaymentDiscount, in app: App) {
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.fuel
        payment.paymentDiscount = discount
        app.queue.add(payment)
    }

    @Test func `an offer is sent as the app gave it and returns with the transaction`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        buy(with: discount, in: app)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(shop.store.state.withLock { $0.attemptBodies.values.map(\.discount) } == [body])
        let payment = try #require(app.observer.heard.transactions.first?.payment)
        #expect(payment.paymentDiscount?.identifier == "summer")
        #expect(payment.paymentDiscount?.nonce == Self.nonce)
        app.buy(Shop.turbo)
        try await app.hears("the other") { $0.purchased.count == 2 }
        let discounts = shop.store.state.withLock { $0.attemptBodies.values.map(\.discount) }
        #expect(discounts.count == 2 && discounts.contains(nil))
    }

    @Test func `an approved payment keeps its offer in the journal until it is posted`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        // Nobody approves anything before the device is signed in.
        app.buy(Shop.turbo)
        try await app.hears("turbo") { $0.purchased.count == 1 }
        shop.store.state.withLock { $0.isDown = true }
        buy(with: discount, in: app)
        try await shop.sees("the approval") {
            shop.journalFiles.contains { name in
                let path = shop.home + "/journal/" + name
                let text = try? String(contentsOfFile: path, encoding: .utf8)
                return text?.contains("approved") == true && text?.contains("c2ln") == true
            }
        }
        shop.store.state.withLock { $0.isDown = false }
        try await app.hears("both") { $0.purchased.count == 2 }
        let discounts = shop.store.state.withLock { $0.attemptBodies.values.map(\.discount) }
        #expect(discounts.count == 2 && discounts.contains(body))
        let kept = app.queue.transactions.lazy.compactMap { $0.payment.paymentDiscount }.first
        #expect(kept?.signature == "c2ln")
        #expect(kept?.timestamp == 1_700_000_000_000)
    }

    @Test func `a journal from before offers existed is read`() throws {
        let record = AttemptRecord(
            attemptId: "A", scope: StoreScope(url: try #require(URL(string: "http://h/sandbox"))),
            worldId: "W", deviceGuid: "G", madeAtMilliseconds: 1, productId: "a", quantity: 1,
            applicationUsername: nil, requestData: nil, simulatesAskToBuyInSandbox: false,
            discount: PaymentDiscountContents(
                identifier: "summer", keyIdentifier: "KEY", nonce: Self.nonce, signature: "s",
                timestampMilliseconds: 5), stage: .approved(account: "ada"))
        let data = try JSONEncoder().encode(record)
        #expect(try JSONDecoder().decode(AttemptRecord.self, from: data) == record)
        var members = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(members.removeValue(forKey: "discount") != nil)
        let older = try JSONDecoder().decode(
            AttemptRecord.self, from: JSONSerialization.data(withJSONObject: members))
        #expect(older.discount == nil && older.stage == record.stage)
    }

    @Test(
        arguments: [
            (.missingOfferParameters, .missingOfferParams),
            (.invalidOfferIdentifier, .invalidOfferIdentifier),
            (.invalidOfferSignature, .invalidSignature), (.invalidOfferPrice, .invalidOfferPrice),
            (.offerNotEligible, .ineligibleForOffer),
        ] as [(RefusalCode, SKError.Code)])
    func `a refused offer fails with Apple's error and buys nothing`(
        refusal: RefusalCode, expected: SKError.Code
    ) async throws {
        let shop = try Shop()
        shop.store.state.withLock { $0.refusal = RefusalBody(code: refusal, message: "No.") }
        let app = try shop.launch().start()
        buy(with: discount, in: app)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.calls == [["0"], ["2"]])
        #expect(app.observer.heard.failed.first?.code == expected)
        #expect(shop.store.transactions.isEmpty)
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await shop.sees("an empty journal") { shop.journalFiles.isEmpty }
    }

    private static func offer(
        _ mode: SubscriptionOffer.PaymentMode, _ span: CalendarSpan, _ count: Int, _ price: String
    ) throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: .promotional, id: "summer", mode: mode, span: span, periodCount: count,
            price: try #require(Price(decimal: price)))
    }

    @Test(
        arguments: [
            (.freeTrial, .days(7), 1, "0", "free for 1 week, then $1.99"),
            (.payAsYouGo, .months(1), 1, "0.99", "$0.99 for 1 month, then $1.99"),
            (.payAsYouGo, .months(1), 3, "0.99", "$0.99 for each of 3 months, then $1.99"),
            (.payAsYouGo, .months(3), 2, "0.99", "$0.99 for each 3 months of 6 months, then $1.99"),
            (.payUpFront, .months(12), 1, "1.49", "$1.49 for 1 year, then $1.99"),
        ] as [(SubscriptionOffer.PaymentMode, CalendarSpan, Int, String, String)])
    func `the sheet shows the offer's price and sends it to the store`(
        mode: SubscriptionOffer.PaymentMode, span: CalendarSpan, count: Int, price: String,
        words: String
    ) async throws {
        let shop = try Shop()
        let offer = try Self.offer(mode, span, count, price)
        shop.store.state.withLock { $0.offers = [offer] }
        let sheet = ShownPriceTests.Reader { _ in }
        let app = try shop.launch(sheet: sheet).start()
        buy(with: discount, in: app)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(sheet.prices.withLock { $0 } == [words])
        let posted = shop.store.state.withLock {
            $0.attemptBodies.values.map(\.shownPriceMilliunits)
        }
        #expect(posted == [offer.price.milliunits])
    }
}
