import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer
@testable import StoreSigning
@testable import StoreVerification

/// Offers that a payment of StoreKit 2 uses: promotional ones by a JWS, win-back offers, and an app's
/// server's word on introductory ones.
struct PaymentOfferTests {
    private typealias F = OfferSaleFixture
    private typealias Fixture = SubscriptionFixture

    /// An app's server with a key of its own.
    private struct Server {
        let store: TestStore
        let key: CurvePrivateKey
        let keyID: String
        let issuer: String

        init(of store: TestStore) async throws {
            self.store = store
            let made = try await store.control("POST", "\(Fixture.app)/offer-keys")
            let body = try WireJSON.decode(MadeOfferKeyBody.self, from: made.body)
            key = try CurvePrivateKey(pem: Array(body.privateKey.utf8))
            (keyID, issuer) = (body.keyId, body.issuerId)
        }

        func introduction(
            _ isAllowed: Bool, for transaction: String, of product: String = Fixture.silver,
            audience: String = IntroductionClaims.audience, bundleID: String = TestStore.bundleID,
            issuer other: String? = nil, nonce: String = UUID().uuidString, secondsAgo: Int64 = 0,
            keyID otherKey: String? = nil
        ) throws -> String {
            try CompactJWS.text(
                of: IntroductionClaims(
                    iss: other ?? issuer, iat: TestStore.start.seconds - secondsAgo,
                    aud: audience, bid: bundleID, nonce: nonce, productId: product,
                    allowIntroductoryOffer: isAllowed, transactionId: transaction),
                header: OfferHeader(kid: otherKey ?? keyID), signedBy: key)
        }
    }

    private func send(
        _ sale: OfferSaleFixture, id: String = UUID().uuidString,
        of product: String = Fixture.silver,
        discount: DiscountBody? = nil, promotional: PromotionalOfferBody? = nil,
        winBack: String? = nil, introduction: String? = nil
    ) async throws -> HTTPResponse {
        await sale.store.send(
            "POST", TestStore.device + "/attempts", token: sale.fixture.token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: product, quantity: 1, applicationUsername: nil,
                    discount: discount, promotionalOffer: promotional, winBackOfferId: winBack,
                    introductoryOfferEligibility: introduction)))
    }

    private func answer(_ response: HTTPResponse) throws -> AttemptAnswerBody {
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    private func setApproval(_ isNeeded: Bool, _ sale: OfferSaleFixture) async throws {
        let answer = try await sale.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(name: "buyer", needsApproval: isNeeded))
        #expect(answer.status == 200)
    }

    private func approve(_ sale: OfferSaleFixture) async throws {
        let answer = try await sale.store.control("POST", "/control/v1/approvals/1/approve")
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    @Test func `a promotional offer with a JWS sells at its price, once for each attempt`()
        async throws
    {
        let sale = try await F()
        let lapsed = try await sale.lapse()
        let jws = try #require(
            try sale.jws(transaction: lapsed.transactionId).compactJWS)
        let offer = PromotionalOfferBody(offerId: F.spring, jws: jws)
        let id = UUID().uuidString
        let bought = try answer(try await send(sale, id: id, promotional: offer))
        #expect(bought.state == .done)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 990")
        #expect(try answer(try await send(sale, id: id, promotional: offer)) == bought)
        for other in [
            try await send(sale, id: id), try await send(sale, id: id, winBack: F.back),
            try await send(
                sale, id: id, promotional: PromotionalOfferBody(offerId: F.spring, jws: jws + "A")),
        ] {
            #expect(other.status == 409)
            #expect(errorCode(other) == "attemptIdReused")
        }
    }

    @Test func `a win-back offer in a payment sells at its price to who left`() async throws {
        let sale = try await F()
        let early = try answer(try await send(sale, winBack: F.back))
        #expect(early.refusal?.code == .offerNotEligible)
        _ = try await sale.lapse()
        let unknown = try answer(try await send(sale, winBack: "unknown"))
        #expect(unknown.refusal?.code == .invalidOfferIdentifier)
        let bought = try answer(try await send(sale, winBack: F.back))
        #expect(bought.state == .done)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 2990")
        let again = try answer(try await send(sale, winBack: F.back))
        #expect(again.refusal?.code == .offerNotEligible)
    }

    @Test func `a child's payment with a win-back offer waits, and is then sold with it`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        try await setApproval(true, sale)
        let waits = try answer(try await send(sale, winBack: F.back))
        #expect(waits.state == .deferred && waits.transaction == nil)
        try await approve(sale)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 2990")
    }

    @Test(arguments: [
        (true, "silver 2026-06-01 2026-06-08 0"), (false, "silver 2026-06-01 2026-07-01 9990"),
    ])
    func `an app's server decides whether an introductory offer applies again`(
        isAllowed: Bool, period: String
    ) async throws {
        let sale = try await F(trial: Fixture.freeWeek)
        let lapsed = try await sale.lapse()
        let server = try await Server(of: sale.store)
        let jws = try server.introduction(isAllowed, for: lapsed.transactionId)
        let id = UUID().uuidString
        let bought = try answer(try await send(sale, id: id, introduction: jws))
        #expect(bought.state == .done)
        #expect(try sale.fixture.periods().last == period)
        #expect(try answer(try await send(sale, id: id, introduction: jws)) == bought)
        #expect(try await send(sale, id: id).status == 409)
    }

    @Test func `an app's server keeps an introductory offer from a new customer`() async throws {
        let sale = try await F(trial: Fixture.freeWeek)
        let server = try await Server(of: sale.store)
        // A customer who never bought is named by the app transaction.
        let number = try #require(
            try sale.numbers("SELECT id FROM app_transaction").first as? Int64)
        let jws = try server.introduction(false, for: "\(number)")
        let bought = try answer(try await send(sale, introduction: jws))
        #expect(bought.state == .done)
        #expect(try sale.fixture.periods() == ["silver 2026-04-01 2026-05-01 9990"])
    }

    @Test func `what an app's server said holds for a purchase that waited`() async throws {
        let sale = try await F(trial: Fixture.freeWeek)
        let lapsed = try await sale.lapse()
        let server = try await Server(of: sale.store)
        try await setApproval(true, sale)
        let jws = try server.introduction(true, for: lapsed.transactionId)
        let id = UUID().uuidString
        let waits = try answer(try await send(sale, id: id, introduction: jws))
        #expect(waits.state == .deferred)
        #expect(try answer(try await send(sale, id: id, introduction: jws)).state == .deferred)
        try await approve(sale)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-06-08 0")
        #expect(try answer(try await send(sale, id: id, introduction: jws)).state == .done)
    }

    @Test func `a JWS that is not for this payment refuses it, and sells nothing`() async throws {
        let sale = try await F(trial: Fixture.freeWeek)
        let lapsed = try await sale.lapse()
        let own = lapsed.transactionId
        _ = try await sale.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let other = try await sale.store.signIn(guid: TestStore.otherGuid, account: "other")
        let foreign = try await sale.store.buy(Fixture.gold, token: other).transactionId
        let server = try await Server(of: sale.store)
        let valid = try server.introduction(true, for: own)
        let bad = [
            try server.introduction(true, for: own, of: Fixture.gold),
            try server.introduction(true, for: own, audience: OfferClaims.audience),
            try server.introduction(true, for: own, bundleID: "com.example.other"),
            try server.introduction(true, for: own, issuer: UUID().uuidString),
            try server.introduction(true, for: own, nonce: "none"),
            try server.introduction(true, for: own, secondsAgo: 86_401),
            try server.introduction(true, for: own, secondsAgo: -301),
            try server.introduction(true, for: own, keyID: sale.keyID),
            try server.introduction(true, for: own, keyID: "UNKNOWN"),
            try server.introduction(true, for: foreign),
            try server.introduction(true, for: "0\(own)"), try server.introduction(true, for: ""),
            // Of a promotional offer.
            try #require(try sale.jws(transaction: own).compactJWS),
            "\(valid.dropLast(2))AA", "", "a.b.c", String(repeating: "a", count: 10_000),
        ]
        let before = try sale.fixture.periods()
        for jws in bad {
            let refused = try answer(try await send(sale, introduction: jws))
            #expect(refused.refusal?.code == .invalidOfferSignature, "\(jws.prefix(80))")
        }
        #expect(try sale.fixture.periods() == before)
        // None of them used up what is valid, which is good once.
        #expect(try answer(try await send(sale, introduction: valid)).state == .done)
        let again = try answer(try await send(sale, of: Fixture.silver, introduction: valid))
        #expect(again.refusal?.code == .invalidOfferSignature)
    }

    @Test(arguments: [Samples.turbo, Samples.fuel])
    func `an offer for a product that is no subscription is refused, and sells nothing`(
        product: String
    ) async throws {
        let sale = try await F()
        let lapsed = try await sale.lapse()
        await sale.store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken,
            body: Array(FamilyFixture.catalogue().utf8)
        ).expectStatus(200)
        let server = try await Server(of: sale.store)
        let jws = try server.introduction(true, for: lapsed.transactionId, of: product)
        let promotional = try #require(
            try sale.jws(transaction: lapsed.transactionId).compactJWS)
        for refused in [
            try await send(sale, of: product, introduction: jws),
            try await send(
                sale, of: product,
                promotional: PromotionalOfferBody(offerId: F.spring, jws: promotional)),
            try await send(sale, of: product, winBack: F.back),
        ] {
            #expect(try answer(refused).refusal?.code == .invalidOfferIdentifier)
        }
        #expect(try sale.count("store_transaction") == 1)
        #expect(try sale.count("offer_nonce") == 0)
    }

    @Test func `of two payments that wait with one win-back offer, the second is refused`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        try await setApproval(true, sale)
        let ids = [UUID().uuidString, UUID().uuidString]
        for id in ids {
            #expect(try answer(try await send(sale, id: id, winBack: F.back)).state == .deferred)
        }
        try await approve(sale)
        let periods = try sale.fixture.periods()
        #expect(periods.last == "silver 2026-06-01 2026-07-01 2990")
        // Somebody decides about it later, and the offer is gone.
        _ = try await sale.store.control("POST", "/control/v1/approvals/2/approve")
        let first = try answer(try await send(sale, id: ids[0], winBack: F.back))
        #expect(first.state == .done)
        let second = try answer(try await send(sale, id: ids[1], winBack: F.back))
        #expect(second.refusal?.code == .offerNotEligible)
        #expect(try sale.fixture.periods() == periods)
    }

    @Test func `a payment with two offers is refused as a whole`() async throws {
        let sale = try await F()
        let lapsed = try await sale.lapse()
        let discount = try sale.discount()
        let promotional = PromotionalOfferBody(offerId: F.spring, jws: "a.b.c")
        for answer in [
            try await send(sale, discount: discount, promotional: promotional),
            try await send(sale, promotional: promotional, winBack: F.back),
            try await send(sale, winBack: F.back, introduction: "a.b.c"),
            try await send(sale, discount: discount, introduction: "a.b.c"),
            try await send(sale, winBack: ""),
            try await send(sale, winBack: String(repeating: "a", count: 256)),
        ] {
            #expect(answer.status == 422)
            #expect(errorCode(answer) == "badField")
        }
        #expect(try sale.count("store_transaction") == 1)
        #expect(!lapsed.transactionId.isEmpty)
    }
}
