import StoreModel
import StoreRules
import Testing

/// A payment from its request to its end.
struct PaymentRulesTests {
    private let dollar: Currency
    private let payment: Payment

    init() throws {
        dollar = try #require(Currency(code: "USD"))
        payment = Payment(
            id: PaymentID("a"), purpose: .purchase(waiting: 1), environment: .production,
            account: AccountID(1), app: AppID(1), product: ProductID("fuel"),
            amount: Money(milliunits: 990, currency: dollar), askedAt: Timestamp(seconds: 50),
            askedReal: Timestamp(seconds: 100))
    }

    private func payment(_ state: Payment.State) -> Payment {
        var changed = payment
        changed.state = state
        return changed
    }

    @Test func `a payment's next request follows from its state`() {
        let steps: [Payment.State: PaymentStep] = [
            .authorizing: .authorization, .capturing: .capture, .voiding: .void,
        ]
        for state in Payment.State.allCases {
            #expect(PaymentRules.step(of: state) == steps[state], "\(state)")
        }
    }

    @Test func `every payment state and answer is covered`() {
        let answers: [(ProviderOutcome, [Payment.State: Payment.State])] = [
            (.approved(reference: nil), [.capturing: .captured, .voiding: .voided]),
            (.declined(reason: "no"), [.capturing: .failed, .voiding: .failed]),
            (.unknown(why: "lost"), [:]),
        ]
        for (answer, ends) in answers {
            for state in Payment.State.allCases {
                let ended = PaymentRules.ended(payment(state), answer)
                #expect(ended.state == ends[state] ?? state, "\(state) and \(answer)")
                #expect(ended.reason == (ended.state == .failed && state != .failed ? "no" : nil))
            }
        }
    }

    @Test func `pauses between provider requests grow from a second to five minutes`() {
        let now = Timestamp(seconds: 200)
        func pauses(_ payment: Payment?, _ tries: [Int64]) -> [Int64] {
            tries.map {
                PaymentRules.nextTry(payment, afterTries: $0, real: now).milliseconds
                    - now.milliseconds
            }
        }
        let tries: [Int64] = [0, 1, 2, 3, 8, 9, 10, 1_000]
        let usual: [Int64] = [1_000, 1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000]
        #expect(pauses(nil, tries) == usual)
        #expect(pauses(payment(.capturing), tries) == usual)
        // An authorization is looked at once more when it is given up.
        #expect(pauses(payment, tries) == usual)
        let late = Timestamp(seconds: 100 + 15 * 60 - 3)
        let next = PaymentRules.nextTry(payment, afterTries: 9, real: late)
        #expect(next == late.adding(milliseconds: 3_000))
        let over = Timestamp(seconds: 100 + 15 * 60 + 3)
        #expect(PaymentRules.nextTry(payment, afterTries: 9, real: over) == over)
    }

    private static let amounts: [(String, Int64, Int64)] = [
        ("USD", 14_995, 15_000), ("USD", 14_990, 14_990), ("USD", 1, 10), ("JPY", 1_001, 2_000),
        ("JPY", 120_000, 120_000), ("KWD", 1_001, 1_001), ("EUR", .max, .max),
    ]

    @Test(arguments: amounts)
    func `an amount requested from the provider is payable in its currency`(
        code: String, missing: Int64, asked: Int64
    ) throws {
        let currency = try #require(Currency(code: code))
        #expect(
            PaymentRules.asked(Money(milliunits: missing, currency: currency))
                == Money(milliunits: asked, currency: currency))
    }

    @Test func `only an authorization is given up after a quarter of an hour`() {
        let end = Timestamp(seconds: 100 + 15 * 60)
        #expect(PaymentRules.isGivenUp(payment, real: end))
        #expect(!PaymentRules.isGivenUp(payment, real: end.adding(milliseconds: -1)))
        for state in Payment.State.allCases where state != .authorizing {
            #expect(!PaymentRules.isGivenUp(payment(state), real: end))
        }
        // A renewal is asked for once at least.
        var renewal = Payment(
            id: PaymentID("b"), purpose: .renewal(TransactionID(1)), environment: .production,
            account: AccountID(1), app: AppID(1), product: ProductID("fan"),
            amount: payment.amount, askedAt: payment.askedAt, askedReal: payment.askedReal)
        #expect(!PaymentRules.isGivenUp(renewal, real: end))
        renewal.tries = 1
        #expect(PaymentRules.isGivenUp(renewal, real: end))
    }

    @Test func `refunds to the provider never exceed what it paid`() throws {
        func money(_ milliunits: Int64, _ currency: Currency? = nil) -> Money {
            Money(milliunits: milliunits, currency: currency ?? dollar)
        }
        let sold = PaymentRules.sold(payment, as: TransactionID(7), capturing: money(490))
        #expect(sold.state == .capturing && sold.transaction == TransactionID(7))
        #expect(PaymentRules.payout(of: money(990), for: sold, paidOut: 0) == money(490))
        #expect(PaymentRules.payout(of: money(300), for: sold, paidOut: 0) == money(300))
        #expect(PaymentRules.payout(of: money(300), for: sold, paidOut: 400) == money(90))
        #expect(PaymentRules.payout(of: money(300), for: sold, paidOut: 490) == nil)
        // Less than a cent stays credit.
        #expect(PaymentRules.payout(of: money(305), for: sold, paidOut: 0) == money(300))
        #expect(PaymentRules.payout(of: money(9), for: sold, paidOut: 0) == nil)
        #expect(PaymentRules.payout(of: money(0), for: sold, paidOut: 0) == nil)
        #expect(PaymentRules.payout(of: money(300), for: payment, paidOut: 0) == nil)
        let euro = try #require(Currency(code: "EUR"))
        #expect(PaymentRules.payout(of: money(300, euro), for: sold, paidOut: 0) == nil)
    }

    @Test func `an approved purchase is given up later than others`() {
        var approved = payment
        approved.isApproved = true
        let asked = payment.askedReal
        for (milliseconds, isGivenUp, isApprovedGivenUp) in [
            (PaymentRules.authorizationMilliseconds - 1, false, false),
            (PaymentRules.authorizationMilliseconds, true, false),
            (PaymentRules.approvedMilliseconds - 1, true, false),
            (PaymentRules.approvedMilliseconds, true, true),
        ] {
            let real = asked.adding(milliseconds: milliseconds)
            #expect(PaymentRules.isGivenUp(payment, real: real) == isGivenUp)
            #expect(PaymentRules.isGivenUp(approved, real: real) == isApprovedGivenUp)
        }
    }

    @Test(
        "what a declined capture did not pay gives nothing back",
        arguments: [
            // Of 9.99, 4.99 were to be captured: state, left, paid out, and what can be given back.
            (Payment.State.captured, Int64(9_990), Int64(0), Int64(9_990)),
            (.capturing, 9_990, 0, 9_990), (.failed, 9_990, 0, 5_000),
            (.failed, 5_990, 4_000, 5_000), (.failed, 3_000, 0, 0), (.failed, 0, 4_990, 0),
            // Taken back and given again: credit has paid it by now.
            (.failed, 9_990, 4_990, 9_990), (.failed, 9_990, 9_980, 9_990),
        ])
    func refundable(state: Payment.State, left: Int64, paidOut: Int64, given: Int64) {
        func money(_ milliunits: Int64) -> Money {
            Money(milliunits: milliunits, currency: dollar)
        }
        var paid = PaymentRules.sold(payment, as: TransactionID(7), capturing: money(4_990))
        paid.state = state
        let found = PaymentRules.refundable(
            left: money(left), paidWith: paid, paidOut: paidOut)
        #expect(found == money(given))
        #expect(
            PaymentRules.refundable(left: money(left), paidWith: nil, paidOut: 0) == money(left))
    }

    @Test func `a provider's authorization pays what credit lacks`() {
        func missing(_ credit: Int64, _ authorized: Int64?, for amount: Int64) -> Int64? {
            PurchaseMeans(
                credit: Money(milliunits: credit, currency: dollar),
                authorized: authorized.map { Money(milliunits: $0, currency: dollar) }
            ).missing(for: Money(milliunits: amount, currency: dollar))?.milliunits
        }
        #expect(missing(10, nil, for: 30) == 20)
        #expect(missing(10, 20, for: 30) == nil)
        #expect(missing(9, 20, for: 30) == 1)
        #expect(missing(30, 20, for: 30) == nil)
        let means = PurchaseMeans(
            credit: Money(milliunits: 12, currency: dollar),
            authorized: Money(milliunits: 20, currency: dollar))
        let taken = means.missingCredit(for: Money(milliunits: 30, currency: dollar))
        #expect(taken?.milliunits == 18)
    }
}
