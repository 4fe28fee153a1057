import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// A store that sells subscriptions with offers, and a server that signs them.
struct OfferSaleFixture {
    typealias Fixture = SubscriptionFixture
    static let spring = "spring"
    static let half = "half-year"
    static let dear = "dear"
    static let fair = "Spring fair"
    static let newcomers = "Newcomers"
    static let back = "come-back"
    static let codes = "\(Fixture.app)/products/\(Fixture.silver)/offer-codes"

    let fixture: Fixture
    let keyID: String
    let signer: OfferSigner
    let issuerID: String

    init(
        at moment: String = "2026-04-01T00:00:00Z", trial: String? = nil, store: TestStore? = nil,
        in environment: StoreEnvironment = .sandbox
    ) async throws {
        fixture = try await Fixture(at: moment, trial: trial, store: store, in: environment)
        await fixture.store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken,
            body: Array(Self.catalogue(trial: trial).utf8)
        ).expectStatus(200)
        let made = try await fixture.store.control("POST", "\(Fixture.app)/offer-keys")
        made.expectStatus(201)
        let key = try WireJSON.decode(MadeOfferKeyBody.self, from: made.body)
        keyID = key.keyId
        issuerID = key.issuerId
        signer = OfferSigner(
            key: try CurvePrivateKey(pem: Array(key.privateKey.utf8)), keyID: key.keyId,
            bundleID: TestStore.bundleID)
    }

    var store: TestStore { fixture.store }

    /// Silver has offers of every kind; gold and bronze have one.
    static func catalogue(trial: String? = nil) -> String {
        let silver = """
            "adHocOffers" : [
              { "offerID" : "\(spring)", "paymentMode" : "payAsYouGo", "displayPrice" : "0.99",
                "numberOfPeriods" : 2, "subscriptionPeriod" : "P1M" },
              { "offerID" : "\(half)", "paymentMode" : "payUpFront", "displayPrice" : "29.99",
                "subscriptionPeriod" : "P6M" },
              { "offerID" : "\(dear)", "paymentMode" : "payAsYouGo", "displayPrice" : "9.99",
                "subscriptionPeriod" : "P1M" } ],
            "codeOffers" : [
              { "referenceName" : "\(fair)", "paymentMode" : "free",
                "subscriptionPeriod" : "P1M" },
              { "referenceName" : "\(newcomers)", "paymentMode" : "payAsYouGo",
                "displayPrice" : "1.99", "eligibility" : ["new"],
                "subscriptionPeriod" : "P1M" } ],
            "winbackOffers" : [
              { "offerID" : "\(back)", "paymentMode" : "payAsYouGo", "displayPrice" : "2.99",
                "isEligible" : true, "subscriptionPeriod" : "P1M" } ],
            "displayPrice" : "9.99"
            """
        func promotional(_ price: String) -> String {
            """
            "adHocOffers" : [
              { "offerID" : "\(spring)", "paymentMode" : "payAsYouGo", "displayPrice" : "0.99",
                "subscriptionPeriod" : "P1M" } ],
            "codeOffers" : [], "displayPrice" : "\(price)"
            """
        }
        func plain(_ price: String) -> String {
            "\"adHocOffers\" : [], \"codeOffers\" : [], \"displayPrice\" : \"\(price)\""
        }
        return Fixture.catalogue(trial: trial)
            .replacing(plain("9.99"), with: silver)
            .replacing(plain("19.99"), with: promotional("19.99"))
            .replacing(plain("4.99"), with: promotional("4.99"))
    }

    /// What the app's server gives: signed by the real clock.
    func discount(
        _ offer: String = spring, of product: String = SubscriptionFixture.silver,
        user: String? = nil, nonce: String = UUID().uuidString
    ) throws -> DiscountBody {
        let made = try signer.signature(
            for: OfferTerms(product: product, offer: offer, applicationUsername: user),
            nonce: try #require(OfferNonce(nonce)), at: TestStore.start)
        return DiscountBody(
            identifier: offer, keyIdentifier: made.keyID, nonce: made.nonce,
            signature: made.signature, timestamp: made.timestampMilliseconds)
    }

    func jws(
        _ offer: String = spring, transaction: String?
    ) throws -> DiscountBody {
        let text = try signer.jws(
            for: OfferTerms(product: SubscriptionFixture.silver, offer: offer),
            issuerID: issuerID, nonce: try #require(OfferNonce(UUID().uuidString)),
            transaction: transaction, at: TestStore.start)
        return DiscountBody(identifier: offer, compactJWS: text)
    }

    func attempt(
        _ discount: DiscountBody?, of product: String = SubscriptionFixture.silver,
        id: String = UUID().uuidString, user: String? = nil, shown: Int64? = nil,
        token: String? = nil
    ) async throws -> AttemptAnswerBody {
        let answer = await store.send(
            "POST", "\(fixture.base)/device/v1/attempts", token: token ?? fixture.token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: product, quantity: 1, applicationUsername: user,
                    shownPriceMilliunits: shown, shownCurrency: shown.map { _ in "USD" },
                    discount: discount)))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    /// Subscribes to silver and lets it end.
    func lapse(until moment: String = "2026-06-01T00:00:00Z") async throws -> TransactionBody {
        let bought = try await fixture.buy()
        try await fixture.change(bought.transactionId, "cancel")
        try await fixture.advance(to: moment)
        return bought
    }

    /// The first column of each row, which is a number or null.
    func numbers(_ sql: String) throws -> [Int64?] {
        try store.registry.defaultWorld.database.read { scope in
            try scope.rows(sql).map { $0.integerOrNil(0) }
        }
    }

    func count(_ table: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM \(table)")?.integer(0) ?? -1
        }
    }

    /// What verifyReceipt says of the newest period.
    func latest() async throws -> (purchase: JSONValue, renewal: JSONValue, whole: JSONValue) {
        let answer = try await fixture.verify(try await store.receipt(token: fixture.token))
        let purchases = try #require(answer["latest_receipt_info"]?.array)
        let newest = try #require(
            purchases.max {
                ($0["purchase_date_ms"]?.string ?? "") < ($1["purchase_date_ms"]?.string ?? "")
            })
        return (newest, try #require(answer["pending_renewal_info"]?.array?.first), answer)
    }

    /// The answer without what is by chance: receipts, and what names the world.
    static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.map {
                    ["latest_receipt", "unique_identifier"].contains($0.key)
                        ? .init($0.key, .string("…")) : .init($0.key, plain($0.value))
                })
        case .array(let elements): .array(elements.map { plain($0) })
        default: value
        }
    }
}
