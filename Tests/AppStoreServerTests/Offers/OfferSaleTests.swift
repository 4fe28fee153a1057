import Foundation
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// Promotional offers that reach payments: what is charged, when, and what is refused.
struct OfferSaleTests {
    private typealias F = OfferSaleFixture
    private typealias Fixture = SubscriptionFixture

    @Test func `a returning subscriber pays the offer price and then the full price`() async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        let bought = try await sale.attempt(try sale.discount(), shown: 990)
        #expect(bought.state == .done)
        #expect(try sale.count("offer_nonce") == 1)
        let latest = try await sale.latest()
        #expect(latest.purchase["promotional_offer_id"]?.string == F.spring)
        #expect(latest.purchase["is_trial_period"]?.string == "false")
        #expect(latest.purchase["is_in_intro_offer_period"]?.string == "false")
        #expect(
            latest.renewal["promotional_offer_id"]?.string == F.spring, "one more period has it")
        try Golden.check(F.plain(latest.whole).xcodeBytes, "verify-subscription-promotional.json")
        try await sale.fixture.advance(to: "2026-08-15T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-06-01 2026-07-01 990",
                "silver 2026-07-01 2026-08-01 990 renewal",
                "silver 2026-08-01 2026-09-01 9990 renewal",
            ])
        let after = try await sale.latest()
        #expect(after.purchase["promotional_offer_id"] == nil)
        let shown = after.whole["latest_receipt_info"]?.array?.compactMap {
            $0["promotional_offer_id"]?.string
        }
        #expect(shown == [F.spring, F.spring])
    }

    @Test func `six months of an offer are paid at once`() async throws {
        let sale = try await F()
        _ = try await sale.lapse()
        let bought = try await sale.attempt(try sale.discount(F.half))
        #expect(bought.state == .done)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-12-01 29990")
        try await sale.fixture.advance(to: "2026-12-02T00:00:00Z")
        #expect(try sale.fixture.periods().last == "silver 2026-12-01 2027-01-01 9990 renewal")
    }

    @Test func `a current subscriber gets the offer from the next renewal on`() async throws {
        let sale = try await F()
        let first = try await sale.fixture.buy()
        let taken = try await sale.attempt(try sale.discount())
        #expect(taken.state == .done && taken.transaction?.transactionId == first.transactionId)
        #expect(try sale.count("offer_nonce") == 1)
        #expect(try await sale.latest().renewal["promotional_offer_id"]?.string == F.spring)
        try await sale.fixture.advance(to: "2026-07-15T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-01 990 renewal",
                "silver 2026-06-01 2026-07-01 990 renewal",
                "silver 2026-07-01 2026-08-01 9990 renewal",
            ])
    }

    @Test func `an offer's period belongs to the user it was signed for`() async throws {
        let sale = try await F()
        let names = [
            "0b5b4d5e-1111-4222-8333-444455556666", "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        ]
        #expect(try await sale.attempt(nil, user: names[0]).state == .done)
        let signed = try sale.discount(user: names[1])
        #expect(try await sale.attempt(signed, user: names[1]).state == .done)
        #expect(try await sale.latest().purchase["app_account_token"]?.string == names[0])
        try await sale.fixture.advance(to: "2026-05-02T00:00:00Z")
        let latest = try await sale.latest().purchase
        #expect(latest["promotional_offer_id"]?.string == F.spring)
        #expect(latest["app_account_token"]?.string == names[1])
    }

    @Test func `an upgrade applies its offer at once and a downgrade at the renewal`() async throws
    {
        let sale = try await F()
        _ = try await sale.fixture.buy()
        let up = try await sale.attempt(
            try sale.discount(of: Fixture.gold), of: Fixture.gold)
        #expect(up.transaction?.productId == Fixture.gold)
        _ = try await sale.attempt(try sale.discount(of: Fixture.bronze), of: Fixture.bronze)
        try await sale.fixture.advance(to: "2026-06-02T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 9990 upgraded", "gold 2026-04-01 2026-05-01 990",
                "bronze 2026-05-01 2026-06-01 990 renewal",
                "bronze 2026-06-01 2026-07-01 4990 renewal",
            ])
    }

    @Test func `a new customer gets no promotional offer and the signature stays unused`()
        async throws
    {
        let sale = try await F(trial: Fixture.freeWeek)
        let discount = try sale.discount()
        let refused = try await sale.attempt(discount)
        #expect(refused.refusal?.code == .offerNotEligible)
        #expect(try sale.count("offer_nonce") == 0 && sale.count("store_transaction") == 0)
        _ = try await sale.lapse()
        #expect(try await sale.attempt(discount).state == .done)
    }

    @Test func `a repeated attempt is answered and uses its signature once`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        let (discount, id) = (try sale.discount(), UUID().uuidString)
        let first = try await sale.attempt(discount, id: id)
        #expect(try await sale.attempt(discount, id: id) == first)
        #expect(try await sale.attempt(discount).refusal?.code == .invalidOfferSignature)
        let other = await sale.store.send(
            "POST", "/sandbox/device/v1/attempts", token: sale.fixture.token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: Fixture.silver, quantity: 1,
                    applicationUsername: nil, discount: try sale.discount())))
        #expect(other.status == 409 && errorCode(other) == "attemptIdReused")
        #expect(try sale.count("offer_nonce") == 1 && sale.fixture.periods().count == 2)
    }

    @Test func `an offer signature stays valid after the attempt fails on a changed price`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        let discount = try sale.discount()
        #expect(try await sale.attempt(discount, shown: 9_990).refusal?.code == .priceChanged)
        #expect(try await sale.attempt(discount, shown: 990).state == .done)
    }

    @Test func `every invalid offer is refused with its own code and nothing is bought`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        let good = try sale.discount(user: "driver")
        func with(
            _ identifier: String? = F.spring, key: String? = nil, nonce: String? = nil,
            signature: String? = nil, time: Int64 = 0
        ) -> DiscountBody {
            DiscountBody(
                identifier: identifier, keyIdentifier: key ?? good.keyIdentifier,
                nonce: nonce ?? good.nonce, signature: signature ?? good.signature,
                timestamp: good.timestamp.map { $0 + time })
        }
        let rows: [(DiscountBody, RefusalCode)] = [
            (with(nil), .missingOfferParameters), (with(""), .missingOfferParameters),
            (with(signature: ""), .missingOfferParameters),
            (DiscountBody(identifier: F.spring), .missingOfferParameters),
            (with("summer"), .invalidOfferIdentifier), (with(F.fair), .invalidOfferIdentifier),
            (with(F.back), .invalidOfferIdentifier),
            (with(F.half), .invalidOfferSignature),
            (with(key: "AAAAAAAAAA"), .invalidOfferSignature),
            (with(nonce: UUID().uuidString), .invalidOfferSignature),
            (with(signature: "AAAA"), .invalidOfferSignature),
            (with(time: 1), .invalidOfferSignature),
            (try sale.discount(F.dear, user: "driver"), .invalidOfferPrice),
        ]
        for (body, code) in rows {
            let answer = try await sale.attempt(body, user: "driver")
            #expect(answer.state == .refused && answer.refusal?.code == code, "\(body)")
        }
        #expect(
            try await sale.attempt(good, user: "another").refusal?.code == .invalidOfferSignature)
        // What is no subscription has no offers.
        let fuel = await sale.store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken,
            body: Array(OfferFixture.catalogue().utf8))
        fuel.expectStatus(200)
        #expect(
            try await sale.attempt(
                try sale.discount(of: Samples.fuel, user: "driver"), of: Samples.fuel,
                user: "driver"
            ).refusal?.code == .invalidOfferIdentifier)
        #expect(try sale.count("offer_nonce") == 0 && sale.fixture.periods().count == 1)
    }

    @Test func `the log says what is wrong with an offer signature`() async throws {
        let sale = try await F()
        _ = try await sale.lapse()
        _ = try await sale.attempt(try sale.discount(), user: "another")
        let line = try #require(
            sale.store.lines.all.last { $0.contains("purchaseRefused") })
        #expect(line.contains("\"why\""), "\(line)")
    }

    @Test func `an offer JWS is accepted only from the owner of its transaction`() async throws {
        let sale = try await F()
        let own = try await sale.lapse()
        #expect(
            try await sale.attempt(try sale.jws(transaction: "2000000000000009")).refusal?.code
                == .invalidOfferSignature)
        #expect(
            try await sale.attempt(try sale.jws(transaction: "x")).refusal?.code
                == .invalidOfferSignature)
        #expect(try await sale.attempt(try sale.jws(transaction: own.transactionId)).state == .done)
        // For the next renewal, and for whomever.
        #expect(try await sale.attempt(try sale.jws(transaction: nil)).state == .done)
    }

    @Test func `concurrent attempts use an offer signature once`() async throws {
        let sale = try await F()
        _ = try await sale.lapse()
        let discount = try sale.discount()
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await sale.attempt(discount).state == .done }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 1)
        #expect(try sale.fixture.periods().filter { $0.hasSuffix(" 990") }.count == 1)
    }

    @Test func `a purchase awaiting approval keeps its offer and uses up its signature`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        try await sale.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(name: "buyer", needsApproval: true)
        ).expectStatus(200)
        let discount = try sale.discount()
        let asked = try await sale.attempt(discount)
        #expect(asked.state == .deferred)
        #expect(try await sale.attempt(discount).refusal?.code == .invalidOfferSignature)
        let approvals = try await sale.store.control("GET", "/control/v1/approvals")
        let request = try #require(
            try WireJSON.decode(ApprovalsBody.self, from: approvals.body).approvals.first)
        #expect(request.priceMilliunits == 990, "who approves sees what it costs")
        // Days later the signature would be too old; it was good when it was asked for.
        sale.store.move(byMilliseconds: 3 * 86_400_000)
        try await sale.store.control("POST", "/control/v1/approvals/1/approve").expectStatus(200)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 990")
        #expect(try await sale.latest().purchase["promotional_offer_id"]?.string == F.spring)
    }

    @Test func `an approved purchase is refused when its offer is gone`() async throws {
        let sale = try await F()
        _ = try await sale.lapse()
        try await sale.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(name: "buyer", needsApproval: true)
        ).expectStatus(200)
        let (discount, id) = (try sale.discount(), UUID().uuidString)
        _ = try await sale.attempt(discount, id: id)
        await sale.store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken,
            body: Array(Fixture.catalogue(trial: nil).utf8)
        ).expectStatus(200)
        let answer = try await sale.store.control("POST", "/control/v1/approvals/1/approve")
        #expect(answer.status != 500)
        #expect(
            try await sale.attempt(discount, id: id).refusal?.code == .invalidOfferIdentifier)
        #expect(try sale.fixture.periods().count == 1)
    }
}
