import Foundation
import Testing

@testable import StoreKit

/// Promotional offers: values that travel with a payment, and are never passed over.
@Suite struct PaymentDiscountTests {
    static let nonce = UUID()
    let discount = SKPaymentDiscount(
        identifier: "summer", keyIdentifier: "KEY", nonce: nonce, signature: "c2ln",
        timestamp: 1_700_000_000_000)

    @Test func `an offer keeps what it was made of`() {
        #expect(discount.identifier == "summer")
        #expect(discount.keyIdentifier == "KEY")
        #expect(discount.nonce == Self.nonce)
        #expect(discount.signature == "c2ln")
        #expect(discount.timestamp == 1_700_000_000_000)
    }

    @Test func `copies of a payment keep its offer, and differ by it`() throws {
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

    @Test func `a payment with an offer fails and buys nothing`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.fuel
        payment.paymentDiscount = discount
        app.queue.add(payment)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.calls == [["0"], ["2"]])
        #expect(app.observer.heard.failed.first?.code == .invalidOfferIdentifier)
        #expect(shop.store.transactions.isEmpty)
        app.queue.finishTransaction(try #require(app.observer.heard.transactions.first))
        try await shop.sees("an empty journal") { shop.journalFiles.isEmpty }
    }
}
