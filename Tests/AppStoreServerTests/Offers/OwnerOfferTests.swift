import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Offers with which the owner buys for an account.
struct OwnerOfferTests {
    private typealias F = OfferSaleFixture
    private typealias Fixture = SubscriptionFixture

    private func buy(
        _ offer: PurchaseOfferBody?, id: String = UUID().uuidString,
        of product: String = Fixture.silver, quantity: Int? = nil, at sale: F
    ) async throws -> HTTPResponse {
        try await sale.store.control(
            "POST", "/control/v1/purchases",
            body: MakePurchaseBody(
                attemptId: id, account: "buyer", bundleId: TestStore.bundleID, productId: product,
                quantity: quantity, offer: offer))
    }

    private func state(_ response: HTTPResponse) throws -> AttemptAnswerBody {
        response.expectStatus(200)
        return try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    @Test func `a promotional offer needs the owner's word or the server's signature`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        let id = UUID().uuidString
        for _ in 0..<2 {
            let bought = try state(
                try await buy(PurchaseOfferBody(promotional: F.spring), id: id, at: sale))
            #expect(bought.state == .done)
        }
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 990")
        let signed = try state(
            try await buy(PurchaseOfferBody(signed: try sale.discount()), at: sale))
        #expect(signed.state == .done)
        var forged = try sale.discount()
        forged = DiscountBody(
            identifier: F.spring, keyIdentifier: forged.keyIdentifier, nonce: forged.nonce,
            signature: "MEUCIQ==", timestamp: forged.timestamp)
        let refused = try state(try await buy(PurchaseOfferBody(signed: forged), at: sale))
        #expect(refused.refusal?.code == .invalidOfferSignature)
        let absent = try state(try await buy(PurchaseOfferBody(promotional: "absent"), at: sale))
        #expect(absent.refusal?.code == .invalidOfferIdentifier)
    }

    @Test func `a win-back offer is for those who left`() async throws {
        let sale = try await F()
        let early = try state(try await buy(PurchaseOfferBody(winBack: F.back), at: sale))
        #expect(early.refusal?.code == .offerNotEligible)
        _ = try await sale.lapse()
        #expect(
            try state(try await buy(PurchaseOfferBody(winBack: F.back), at: sale)).state == .done)
        #expect(try sale.fixture.periods().last == "silver 2026-06-01 2026-07-01 2990")
    }

    @Test func `a code is redeemed once, for its own product`() async throws {
        let sale = try await F()
        try await sale.store.control(
            "POST", F.codes,
            body: MakeOfferCodeBody(offerId: F.fair, word: "FAIR26", redemptionsMax: 9)
        ).expectStatus(201)
        let other = try await buy(PurchaseOfferBody(code: "FAIR26"), of: Fixture.gold, at: sale)
        #expect(other.status == 409 && errorCode(other) == "offerRefused")
        let id = UUID().uuidString
        let first = try state(try await buy(PurchaseOfferBody(code: "fair26"), id: id, at: sale))
        #expect(first.state == .done)
        let again = try state(try await buy(PurchaseOfferBody(code: "fair26"), id: id, at: sale))
        #expect(again.transaction == first.transaction)
        #expect(try sale.count("offer_redemption") == 1)
        let unknown = try await buy(PurchaseOfferBody(code: "NONE"), at: sale)
        #expect(unknown.status == 404 && errorCode(unknown) == "offerCodeUnknown")
    }

    @Test func `asking for an introductory offer refuses a purchase without one`() async throws {
        let sale = try await F(trial: Fixture.freeWeek)
        let trial = try state(try await buy(PurchaseOfferBody(introductory: true), at: sale))
        #expect(trial.state == .done)
        #expect(try sale.fixture.periods().last?.contains("2026-04-08") == true)
        let plain = try await F()
        let id = UUID().uuidString
        let refused = try await buy(PurchaseOfferBody(introductory: true), id: id, at: plain)
        #expect(refused.status == 409 && errorCode(refused) == "offerRefused")
        #expect(try plain.count("store_transaction") == 0, "the refusal undid the purchase")
        #expect(try state(try await buy(nil, id: id, at: plain)).state == .done)
    }

    @Test func `an introductory offer is not asked for by a purchase that would wait`()
        async throws
    {
        let sale = try await F(trial: Fixture.freeWeek)
        let settings = "/control/v1/accounts/settings"
        let id = UUID().uuidString
        for (approval, interruption) in [(true, false), (false, true)] {
            try await sale.store.control(
                "POST", settings,
                body: AccountSettingsBody(
                    name: "buyer", needsApproval: approval, interruptsPurchases: interruption)
            ).expectStatus(200)
            let waits = try await buy(PurchaseOfferBody(introductory: true), id: id, at: sale)
            #expect(waits.status == 409 && errorCode(waits) == "offerRefused")
            #expect(String(decoding: waits.body, as: UTF8.self).contains("have to wait"))
        }
        #expect(try sale.count("attempt") == 0)
        try await sale.store.control(
            "POST", settings,
            body: AccountSettingsBody(
                name: "buyer", needsApproval: false, interruptsPurchases: false)
        ).expectStatus(200)
        let bought = try state(
            try await buy(PurchaseOfferBody(introductory: true), id: id, at: sale))
        #expect(bought.state == .done)
        let plain = try await buy(nil, id: id, at: sale)
        #expect(plain.status == 409 && errorCode(plain) == "attemptIdReused")
    }

    @Test func `an introductory offer is not asked for by a change of the renewal`() async throws {
        let sale = try await F()
        #expect(try state(try await buy(nil, of: Fixture.gold, at: sale)).state == .done)
        let lower = try await buy(PurchaseOfferBody(introductory: true), at: sale)
        #expect(lower.status == 409 && errorCode(lower) == "offerRefused")
        #expect(try sale.count("attempt") == 1)
        #expect(try await sale.latest().renewal["auto_renew_product_id"]?.string == Fixture.gold)
    }

    @Test func `two offers at once are not understood, and none is none`() async throws {
        let sale = try await F()
        for offer in [
            PurchaseOfferBody(promotional: F.spring, winBack: F.back),
            PurchaseOfferBody(introductory: true, code: "FAIR26"),
            PurchaseOfferBody(promotional: ""),
        ] {
            let answer = try await buy(offer, at: sale)
            #expect(answer.status == 422 && errorCode(answer) == "badField")
        }
        let many = try await buy(PurchaseOfferBody(code: "FAIR26"), quantity: 2, at: sale)
        #expect(many.status == 409 && errorCode(many) == "offerRefused")
        #expect(try sale.count("attempt") == 0)
        let none = PurchaseOfferBody(introductory: false)
        #expect(try state(try await buy(none, at: sale)).state == .done)
    }
}
