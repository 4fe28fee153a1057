import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

@Suite struct ValueTests {
    struct PriceRow: Sendable {
        let milliunits: Int64
        let locale: String
        let written: String
    }

    @Test(arguments: [
        PriceRow(milliunits: 1_990, locale: "en_US@currency=USD", written: "$1.99"),
        PriceRow(milliunits: 0, locale: "en_US@currency=USD", written: "$0.00"),
        PriceRow(milliunits: 1_000_000_000, locale: "en_US", written: "$1,000,000.00"),
        PriceRow(milliunits: 1_990, locale: "de_DE@currency=EUR", written: "1,99\u{A0}€"),
        PriceRow(milliunits: 120_000, locale: "ja_JP@currency=JPY", written: "¥120"),
        PriceRow(milliunits: 10, locale: "en_US", written: "$0.01"),
    ])
    func `a price is formatted as its country does`(row: PriceRow) {
        let details = ProductDetails(
            ProductBody(
                productId: "a", kind: .consumable, localizedTitle: "A", localizedDescription: "B",
                priceMilliunits: row.milliunits, currency: "USD", priceLocale: row.locale,
                isFamilyShareable: true, subscriptionGroupIdentifier: nil))
        let product = SKProduct(details: details)
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        let written = formatter.string(from: product.price)?
            .replacingOccurrences(of: "￥", with: "¥")
        #expect(written == row.written)
        #expect(product.isFamilyShareable)
    }

    @Test(
        arguments: [
            (.week, 1, .week), (.month, 1, .month), (.twoMonths, 2, .month),
            (.threeMonths, 3, .month), (.sixMonths, 6, .month), (.year, 1, .year),
            (nil, nil, nil),
        ] as [(RenewalPeriod?, Int?, SKProduct.PeriodUnit?)])
    func `a subscription product has its period and its group`(
        period: RenewalPeriod?, units: Int?, unit: SKProduct.PeriodUnit?
    ) {
        var body = ProductBody(
            productId: "a", kind: .autoRenewable, localizedTitle: "A", localizedDescription: "B",
            priceMilliunits: 990, currency: "USD", priceLocale: "en_US", isFamilyShareable: false,
            subscriptionGroupIdentifier: "group")
        body.subscriptionPeriod = period
        let product = SKProduct(details: ProductDetails(body))
        #expect(product.subscriptionPeriod?.numberOfUnits == units)
        #expect(product.subscriptionPeriod?.unit == unit)
        #expect(product.subscriptionPeriod === product.subscriptionPeriod)
        #expect(product.subscriptionGroupIdentifier == "group")
    }

    @Test func `a subscription product's offers are its discounts`() throws {
        func offer(
            _ id: String?, _ mode: SubscriptionOffer.PaymentMode, _ span: CalendarSpan,
            count: Int, _ milliunits: Int64
        ) throws -> OfferBody {
            OfferBody(
                SubscriptionOffer(
                    kind: id == nil ? .introductory : .promotional, id: id, mode: mode, span: span,
                    periodCount: count, price: try #require(Price(milliunits: milliunits))),
                in: StoreModel.Storefront.default.currency)
        }
        var body = ProductBody(
            productId: "a", kind: .autoRenewable, localizedTitle: "A", localizedDescription: "B",
            priceMilliunits: 9_990, currency: "EUR", priceLocale: "de_DE@currency=EUR",
            isFamilyShareable: false, subscriptionGroupIdentifier: "group")
        #expect(SKProduct(details: ProductDetails(body)).introductoryPrice == nil)
        #expect(SKProduct(details: ProductDetails(body)).discounts.isEmpty)
        body.introductoryOffer = try offer(nil, .freeTrial, .days(3), count: 1, 0)
        body.promotionalOffers = [
            try offer("spring", .payAsYouGo, .months(1), count: 3, 1_990),
            try offer("autumn", .payUpFront, .months(12), count: 1, 59_990),
        ]
        let product = SKProduct(details: ProductDetails(body))
        let trial = try #require(product.introductoryPrice)
        #expect(trial.identifier == nil && trial.price == 0 && trial.numberOfPeriods == 1)
        #expect(trial.paymentMode == .freeTrial && trial.type == .introductory)
        #expect(
            trial.subscriptionPeriod.numberOfUnits == 3 && trial.subscriptionPeriod.unit == .day)
        #expect(product.discounts.map(\.identifier) == ["spring", "autumn"])
        #expect(product.discounts.map(\.price.stringValue) == ["1.99", "59.99"])
        #expect(product.discounts.map(\.numberOfPeriods) == [3, 1])
        #expect(product.discounts.map(\.paymentMode) == [.payAsYouGo, .payUpFront])
        #expect(product.discounts.map(\.subscriptionPeriod.unit) == [.month, .year])
        #expect(product.discounts.allSatisfy { $0.type == .subscription })
        #expect(product.discounts[0].priceLocale == product.priceLocale)
        #expect(product.introductoryPrice === trial)
    }

    @Test(arguments: [0, 1, 10, 999, 1_990, 123_456_789, Int64.max])
    func `a price is exact`(milliunits: Int64) throws {
        let price = ProductDetails.price(milliunits: milliunits)
        let back = price.multiplying(byPowerOf10: 3)
        #expect(back.stringValue == "\(milliunits)")
    }

    @Test func `payments are equal by value and copied`() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "a"
        payment.quantity = 3
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(!(copy is SKMutablePayment))
        #expect(copy == payment)
        #expect(copy.hash == payment.hash)
        payment.quantity = 4
        #expect(copy.quantity == 3)
        #expect(copy != payment)
        let mutable = try #require(copy.mutableCopy() as? SKMutablePayment)
        mutable.applicationUsername = "x"
        #expect(copy.applicationUsername == nil)
        #expect(Set([copy, SKPayment()]).count == 2)
    }

    @Test func `a copy keeps what a payment subclass returns`() throws {
        final class Own: SKPayment, @unchecked Sendable {
            override var productIdentifier: String { "own" }
            override var paymentDiscount: SKPaymentDiscount? {
                SKPaymentDiscount(
                    identifier: "offer", keyIdentifier: "key", nonce: UUID(), signature: "s",
                    timestamp: 5)
            }
        }
        let copy = try #require(Own().copy() as? SKPayment)
        #expect(copy.productIdentifier == "own")
        #expect(copy.paymentDiscount?.identifier == "offer")
        #expect((copy.mutableCopy() as? SKMutablePayment)?.paymentDiscount?.timestamp == 5)
    }

    @Test func `a transaction's payment equals the one that was added`() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "a"
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "offer", keyIdentifier: "key", nonce: UUID(), signature: "s", timestamp: 5)
        let transaction = SKPaymentTransaction(
            key: QueueKey(attemptId: "a"), payment: PaymentContents(payment), presented: .purchasing
        )
        #expect(transaction.payment == payment)
        #expect(transaction.payment.paymentDiscount?.signature == "s")
    }

    @Test func `a payment for a product has quantity one`() {
        let product = SKProduct(details: ProductDetails(productIdentifier: "a"))
        for payment in [SKPayment(product: product), SKMutablePayment(product: product)] {
            #expect(payment.productIdentifier == "a" && payment.quantity == 1)
        }
    }
}

/// Client tests override what they need of values that only the store makes.
@Suite struct SubclassTests {
    final class FreePeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
        override var numberOfUnits: Int { 3 }
    }
    final class Discount: SKProductDiscount, @unchecked Sendable {
        override var subscriptionPeriod: SKProductSubscriptionPeriod { FreePeriod() }
    }
    final class Storefront: SKStorefront, @unchecked Sendable {
        override var countryCode: String { "FRA" }
    }

    @Test func `tests can create StoreKit values`() {
        #expect(Discount().subscriptionPeriod.numberOfUnits == 3)
        #expect(Discount().price == 0)
        #expect(Storefront().countryCode == "FRA")
    }
}
