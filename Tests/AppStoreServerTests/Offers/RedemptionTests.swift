import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Offer codes redeemed on a device and by the owner: sold at the offer's price, once.
struct RedemptionTests {
    private typealias F = OfferSaleFixture
    private typealias Fixture = SubscriptionFixture

    private func make(
        _ sale: OfferSaleFixture, _ word: String, offer: String = OfferSaleFixture.fair,
        most: Int64 = 9, until end: String? = nil
    ) async throws {
        try await sale.store.control(
            "POST", F.codes,
            body: MakeOfferCodeBody(
                offerId: offer, word: word, redemptionsMax: most,
                expiresAt: end.flatMap { Timestamp(rfc3339: $0) })
        ).expectStatus(201)
    }

    private func makeOneTime(_ sale: OfferSaleFixture, _ count: Int64) async throws -> [String] {
        let answer = try await sale.store.control(
            "POST", F.codes, body: MakeOfferCodeBody(offerId: F.fair, count: count))
        answer.expectStatus(201)
        return try #require(try WireJSON.decode(MadeOfferCodeBody.self, from: answer.body).codes)
    }

    private func send(
        _ sale: OfferSaleFixture, _ code: String, id: String = UUID().uuidString,
        token: String? = nil
    ) async throws -> HTTPResponse {
        await sale.store.send(
            "POST", "/sandbox/device/v1/offer-codes/redeem", token: token ?? sale.fixture.token,
            body: try WireJSON.encode(RedeemOfferCodeBody(attemptId: id, code: code)))
    }

    private func redeem(
        _ sale: OfferSaleFixture, _ code: String, id: String = UUID().uuidString,
        token: String? = nil
    ) async throws -> AttemptAnswerBody {
        let answer = try await send(sale, code, id: id, token: token)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    private func control(
        _ sale: OfferSaleFixture, _ code: String, name: String = "buyer"
    ) async throws -> HTTPResponse {
        try await sale.store.control(
            "POST", "\(Fixture.app)/offer-codes/redeem",
            body: RedeemForAccountBody(name: name, code: code))
    }

    @Test func `a device that is not signed in is refused before its body is read`() async throws {
        let sale = try await F()
        for body in ["", "{}", #"{"attemptId":"x"}"#] {
            let answer = await sale.store.send(
                "POST", "/sandbox/device/v1/offer-codes/redeem", token: "wrong",
                body: Array(body.utf8))
            #expect(answer.status == 401)
            #expect(errorCode(answer) == "tokenUnknown")
        }
    }

    @Test func `an offer code sells at its price and the receipt names the offer`()
        async throws
    {
        let sale = try await F()
        try await make(sale, "SPRING")
        let bought = try await redeem(sale, "spring")
        #expect(bought.state == .done && bought.transaction?.productId == Fixture.silver)
        let latest = try await sale.latest()
        #expect(latest.purchase["offer_code_ref_name"]?.string == F.fair)
        #expect(latest.purchase["promotional_offer_id"] == nil)
        #expect(latest.purchase["is_trial_period"]?.string == "false")
        try Golden.check(F.plain(latest.whole).xcodeBytes, "verify-subscription-code.json")
        try await sale.fixture.advance(to: "2026-05-02T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 0", "silver 2026-05-01 2026-06-01 9990 renewal",
            ])
        #expect(try await sale.latest().purchase["offer_code_ref_name"] == nil)
        #expect(
            try sale.numbers("SELECT transaction_id FROM offer_redemption")
                == [bought.transaction.flatMap { Int64($0.transactionId) }])
    }

    @Test func `neither buying again nor switching renewal off and on loses a redeemed offer`()
        async throws
    {
        let sale = try await F()
        try await make(sale, "SPRING")
        let original = try await sale.fixture.buy().transactionId
        #expect(try await redeem(sale, "SPRING").state == .done)
        #expect(try await sale.fixture.show(original).renewalPriceMilliunits == 0)
        #expect(try await sale.attempt(nil).refusal?.code == .alreadySubscribed)
        try await sale.fixture.change(original, "cancel")
        #expect(try await sale.attempt(nil).state == .done)
        try await sale.fixture.advance(to: "2026-06-02T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-01 0 renewal",
                "silver 2026-06-01 2026-07-01 9990 renewal",
            ])
    }

    @Test func `a repeated redemption gets the same answer and redeems once`() async throws {
        let sale = try await F()
        try await make(sale, "SPRING")
        let id = UUID().uuidString
        let first = try await redeem(sale, "SPRING", id: id)
        for _ in 0..<20 { #expect(try await redeem(sale, "SPRING", id: id) == first) }
        #expect(try sale.count("offer_redemption") == 1 && sale.fixture.periods().count == 1)
        try await make(sale, "OTHER")
        let other = try await send(sale, "OTHER", id: id)
        #expect(other.status == 409 && errorCode(other) == "attemptIdReused")
        #expect(try await redeem(sale, "OTHER").refusal?.code == .offerCodeUsedBefore)
    }

    @Test func `of concurrent redemptions of a one-time code, one succeeds`() async throws {
        let sale = try await F()
        let codes = try await makeOneTime(sale, 1)
        var tokens: [String] = []
        for number in 0..<6 {
            try await sale.store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: "p\(number)", password: "rocket-fuel-1",
                    storefront: nil)
            ).expectStatus(201)
            tokens.append(
                try await sale.store.signIn(guid: UUID().uuidString, account: "p\(number)"))
        }
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
            for token in tokens {
                group.addTask { try await redeem(sale, codes[0], token: token).state == .done }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 1)
        #expect(try sale.count("offer_redemption") == 1 && sale.fixture.periods().count == 1)
    }

    @Test func `a code that cannot be redeemed says why and sells nothing`() async throws {
        let sale = try await F()
        try await make(sale, "SHORT", until: "2026-04-02T00:00:00Z")
        try await make(sale, "ENDED")
        try await sale.store.control("DELETE", "\(F.codes)/2").expectStatus(200)
        try await make(sale, "ONE", most: 1)
        try await make(sale, "NEW", offer: F.newcomers)
        try await sale.fixture.advance(to: "2026-04-03T00:00:00Z")
        #expect(try await redeem(sale, "SHORT").refusal?.code == .offerCodeExpired)
        #expect(try await redeem(sale, "ENDED").refusal?.code == .offerCodeDeactivated)
        #expect(try sale.fixture.periods().isEmpty && sale.count("offer_redemption") == 0)
        #expect(try await redeem(sale, "ONE").state == .done)
        #expect(try await redeem(sale, "NEW").refusal?.code == .offerNotEligible)
        let unknown = try await send(sale, "NOTHING")
        #expect(unknown.status == 404 && errorCode(unknown) == "offerCodeUnknown")
        let noCode = try await send(sale, "Früh ling")
        #expect(noCode.status == 404 && errorCode(noCode) == "offerCodeUnknown")
        #expect(try sale.fixture.periods().count == 1 && sale.count("offer_redemption") == 1)
    }

    @Test func `a current subscriber gets the code's offer from the next renewal on`() async throws
    {
        let sale = try await F()
        try await make(sale, "SPRING")
        let running = try await sale.fixture.buy()
        let answer = try await redeem(sale, "SPRING")
        #expect(answer.transaction?.transactionId == running.transactionId)
        #expect(try await sale.latest().renewal["offer_code_ref_name"]?.string == F.fair)
        #expect(try sale.numbers("SELECT transaction_id FROM offer_redemption") == [nil])
        try await sale.fixture.advance(to: "2026-06-02T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-01 0 renewal",
                "silver 2026-06-01 2026-07-01 9990 renewal",
            ])
    }

    @Test func `a code stays used up when the renewal it was meant for never comes`() async throws {
        let sale = try await F()
        try await make(sale, "SPRING")
        try await make(sale, "AGAIN")
        let running = try await sale.fixture.buy()
        #expect(try await redeem(sale, "SPRING").state == .done)
        try await sale.fixture.change(running.transactionId, "cancel")
        try await sale.fixture.advance(to: "2026-05-02T00:00:00Z")
        #expect(try sale.fixture.periods() == ["silver 2026-04-01 2026-05-01 9990"])
        for code in ["SPRING", "AGAIN"] {
            #expect(try await redeem(sale, code).refusal?.code == .offerCodeUsedBefore)
        }
        try await sale.fixture.advance(to: "2026-05-03T00:00:00Z")
        try await sale.fixture.buy()
        #expect(try sale.fixture.periods().last == "silver 2026-05-03 2026-06-03 9990")
    }

    @Test func `redeeming an offer code needs no approval`() async throws {
        let sale = try await F()
        try await make(sale, "SPRING")
        try await sale.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                name: "buyer", needsApproval: true, interruptsPurchases: true)
        ).expectStatus(200)
        #expect(try await redeem(sale, "SPRING").state == .done)
    }

    @Test func `code guesses are limited per account over all its devices`() async throws {
        let sale = try await F()
        try await make(sale, "SPRING")
        let other = try await sale.store.signIn(guid: UUID().uuidString)
        for number in 0..<Limits.redemptionsAtOnceMax {
            let token = number % 2 == 0 ? sale.fixture.token : other
            #expect(try await send(sale, "GUESS\(number)", token: token).status == 404)
        }
        for token in [sale.fixture.token, other] {
            let right = try await send(sale, "SPRING", token: token)
            #expect(right.status == 429 && errorCode(right) == "tooManyRedemptions")
            #expect(right.headers["Retry-After"] == "30")
        }
        #expect(try sale.count("offer_redemption") == 0)
        // Others may, and so does this one after a while.
        try await sale.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "ada", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        let ada = try await sale.store.signIn(guid: UUID().uuidString, account: "ada")
        #expect(try await redeem(sale, "SPRING", token: ada).state == .done)
        sale.store.move(byMilliseconds: 30_000)
        #expect(try await redeem(sale, "SPRING").state == .done)
    }

    @Test func `the shop owner redeems a code for an account once, and its device hears of it`()
        async throws
    {
        let sale = try await F()
        try await make(sale, "SPRING")
        let first = try await control(sale, "spring")
        first.expectStatus(200)
        let body = try WireJSON.decode(TakenOfferBody.self, from: first.body)
        #expect(body.productId == Fixture.silver && body.offerId == F.fair)
        try Golden.check(first.body, "control-taken-offer.json")
        #expect(try await control(sale, "SPRING") == first)
        let listed = await sale.store.send(
            "GET", "/sandbox/device/v1/transactions", token: sale.fixture.token)
        let open = try WireJSON.decode(UnfinishedBody.self, from: listed.body).transactions
        #expect(open.map(\.transactionId) == [body.transactionId])
        #expect(open.first?.attemptId == "offer-code/1/1")
        #expect(try sale.count("offer_redemption") == 1)
        try await make(sale, "OTHER")
        let refused = try await control(sale, "OTHER")
        #expect(refused.status == 409 && errorCode(refused) == "offerRefused")
        #expect(errorCode(try await control(sale, "NOTHING")) == "offerCodeUnknown")
        #expect(errorCode(try await control(sale, "SPRING", name: "x")) == "accountUnknown")
    }

    @Test func `redeeming for an account without a device is refused with the reason`() async throws
    {
        let sale = try await F()
        try await make(sale, "SPRING")
        try await sale.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "ada", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        let answer = try await control(sale, "SPRING", name: "ada")
        #expect(answer.status == 409 && errorCode(answer) == "noDevice")
        #expect(try sale.count("offer_redemption") == 0)
    }
}
