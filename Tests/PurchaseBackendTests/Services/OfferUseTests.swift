import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// Which periods use a signature up.
@Suite(.ownThreads) struct OfferUseTests {
    private typealias Answers = SubscriptionAnswers
    private typealias Period = SubscriptionAnswers.Period

    private static let key = Result { try CurvePrivateKey.make() }

    /// A user whose subscription ran out, and who may have the offer twice.
    private func lapsed(folder: TemporaryFolder? = nil) throws -> (rig: Rig, token: String) {
        let rig = try Rig(
            products: Rig.subscriptions, folder: folder, secret: "secret",
            signing: OfferSigning(
                key: try Self.key.get(), keyID: "KEY1234567", bundleID: "com.example.rocketcar"))
        let token = try rig.signUp(forGood: true)
        try hear(rig, token, [Self.first], at: Self.first.ends)
        return (rig, token)
    }

    private static let first = Period(product: "radio", transaction: "1", original: "1")

    /// Three periods at the offer's price, one after the other.
    private static var paid: [Period] {
        var period = first
        period.transaction = "2"
        period.begins = Answers.start + 2 * Answers.month
        period.ends = period.begins + Answers.month
        period.offer = "louder"
        let second = period.renewed("3")
        return [period, second, second.renewed("4")]
    }

    private func hear(
        _ rig: Rig, _ token: String, _ periods: [Period], at now: Int64, renews: Bool = false
    ) throws {
        let renewal = Answers.Renewal(
            original: "1", product: "radio", renews: renews, isRetried: false,
            intent: renews ? nil : 1)
        rig.store.answer(.text(Answers.unified(periods.reversed(), [renewal], at: now)))
        let newest = try #require(periods.last)
        let answer = try rig.submit(token, product: "radio", transaction: newest.transaction)
        #expect(answer.status == 200)
    }

    private func ask(_ rig: Rig, _ token: String) throws -> HTTPResponse {
        let body = OfferRequestBody(productId: "radio", offerId: "louder")
        return try rig.send(
            "POST", "/v1/offers", token: token,
            String(decoding: try WireJSON.encode(body), as: UTF8.self))
    }

    private func given(_ answer: HTTPResponse) throws -> OfferSignatureBody {
        try WireJSON.decode(OfferSignatureBody.self, from: answer.body)
    }

    private func used(_ rig: Rig) throws -> Int64 {
        try rig.count("SELECT count(*) FROM offer_signatures WHERE used_transaction IS NOT NULL")
    }

    @Test func `consecutive periods at an offer's price are one use`() throws {
        let (rig, token) = try lapsed()
        #expect(try ask(rig, token).status == 200)
        let paid = Self.paid
        for count in 1...3 {
            let listed = Array(paid.prefix(count))
            try hear(rig, token, [Self.first] + listed, at: paid[count - 1].begins, renews: true)
            #expect(try used(rig) == 1)
        }
        try hear(rig, token, [Self.first] + paid, at: paid[2].ends)
        let second = try given(ask(rig, token))
        // The next check lists all of them once more.
        try hear(rig, token, [Self.first] + paid, at: paid[2].ends + 1)
        #expect(try used(rig) == 1)
        #expect(try given(ask(rig, token)) == second)
        // It is used like the first, and then there are no more.
        var again = paid[0]
        again.transaction = "5"
        again.begins = paid[2].ends + Answers.day
        again.ends = again.begins + Answers.month
        try hear(rig, token, [Self.first] + paid + [again], at: again.begins, renews: true)
        #expect(try used(rig) == 2)
        try hear(rig, token, [Self.first] + paid + [again], at: again.ends)
        rig.clock.advance(milliseconds: 2 * Answers.day)
        #expect(try ask(rig, token).errorCode == "offerUsedUp")
    }

    @Test func `consecutive offer periods are one use in any order of arrival`() throws {
        let (rig, token) = try lapsed()
        #expect(try ask(rig, token).status == 200)
        let paid = Self.paid
        try hear(rig, token, [paid[1]], at: paid[1].begins, renews: true)
        #expect(try used(rig) == 1)
        try hear(rig, token, [paid[1]], at: paid[1].ends)
        #expect(try ask(rig, token).status == 200)
        try hear(rig, token, [paid[0], paid[1]], at: paid[1].ends + 1)
        #expect(try used(rig) == 1)
    }

    @Test func `an offer period without a signature uses up no later signature`() throws {
        let (rig, token) = try lapsed()
        var own = Self.paid[0]
        try hear(rig, token, [Self.first, own], at: own.begins, renews: true)
        try hear(rig, token, [Self.first, own], at: own.ends)
        #expect(try ask(rig, token).status == 200)
        try hear(rig, token, [Self.first, own], at: own.ends + 1)
        #expect(try used(rig) == 0)
        // Longer than it was, as after an extension: still the same.
        own.ends += Answers.day
        let next = own.renewed("3")
        try hear(rig, token, [Self.first, own, next], at: next.begins, renews: true)
        #expect(try used(rig) == 0, "it goes on with the one before")
    }

    @Test func `an offer period shared by a family member uses up no signature`() throws {
        let (rig, token) = try lapsed()
        #expect(try ask(rig, token).status == 200)
        var shared = Self.paid[0]
        shared.isShared = true
        try hear(rig, token, [Self.first, shared], at: shared.begins, renews: true)
        #expect(try used(rig) == 0)
    }

    @Test func `a running offer is not given again for a receipt that does not name it`()
        throws
    {
        let (rig, token) = try lapsed()
        #expect(try ask(rig, token).status == 200)
        let paid = Self.paid[0]
        try hear(rig, token, [Self.first, paid], at: paid.begins, renews: true)
        #expect(try ask(rig, token).errorCode == "offerInUse")
        rig.store.answer(.text(Answers.old(paid, latest: paid)))
        _ = try rig.submit(token, product: "radio", transaction: "2", receipt: "eyB9")
        #expect(try ask(rig, token).errorCode == "offerInUse")
    }
}
