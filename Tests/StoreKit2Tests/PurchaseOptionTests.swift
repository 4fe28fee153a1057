import BodegaTesting
import Foundation
import StoreKit
import StoreModel
import StoreSigning
import TestSupport
import Testing

/// Options of a purchase that the store judges, as an app gives them.
@Suite(.ownThreads) struct PurchaseOptionTests {
    private typealias Option = StoreKit.Product.PurchaseOption

    private static let offer = "spring"

    /// A world with a promotional offer, and the app's server that signs it.
    private struct Shop {
        private struct Key: Decodable {
            let keyId: String
            let issuerId: String
            let privateKey: String
        }

        let world: BodegaWorld
        private let key: Key
        private let signer: OfferSigner

        init() async throws {
            world = try await PurchaseOptionTests.world()
            key = try JSONDecoder().decode(
                Key.self, from: try await world.control("POST", "/apps/\(Kiosk.app)/offer-keys"))
            signer = OfferSigner(
                key: try CurvePrivateKey(pem: Array(key.privateKey.utf8)), keyID: key.keyId,
                bundleID: Kiosk.app)
        }

        /// The options that stand for an offer of the monthly subscription, in both of its forms.
        @available(*, deprecated)
        func offers(_ id: String, of signedID: String? = nil) throws -> [Set<Option>] {
            let terms = OfferTerms(product: Kiosk.monthly, offer: signedID ?? id)
            let nonce = UUID()
            let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
            let signed = try signer.signature(
                for: terms, nonce: try #require(OfferNonce(nonce.uuidString)), at: now)
            let jws = try signer.jws(
                for: terms, issuerID: key.issuerId,
                nonce: try #require(OfferNonce(UUID().uuidString)), transaction: nil, at: now)
            return [
                [
                    Option.promotionalOffer(
                        offerID: id, keyID: signed.keyID, nonce: nonce,
                        signature: try #require(Data(base64Encoded: signed.signature)),
                        timestamp: Int(signed.timestampMilliseconds))
                ], Set(Option.promotionalOffer(id, compactJWS: jws)),
            ]
        }

        /// Makes the customer a former subscriber.
        func lapse() async throws {
            let bought = try await Kiosk.buy(Kiosk.yearly)
            try await world.post("/subscriptions/\(bought.id)/expire")
        }
    }

    private static func world() async throws -> BodegaWorld {
        let none = "\"adHocOffers\" : [\n\n          ],"
        let offer = """
            "adHocOffers" : [ {
              "displayPrice" : "0.99", "internalID" : "5A1C0031", "numberOfPeriods" : 2,
              "offerID" : "\(offer)", "paymentMode" : "payAsYouGo", "referenceName" : "Spring",
              "subscriptionPeriod" : "P1M"
            } ],
            """
        let text = try String(contentsOf: Kiosk.catalogue, encoding: .utf8)
        let place = try #require(text.range(of: none))
        return try await BodegaStore.shared.world(
            catalogue: .text(text.replacingCharacters(in: place, with: offer)),
            bundleID: Kiosk.app)
    }

    @available(*, deprecated)
    @Test(arguments: [0, 1])
    func `an offer that the app's server signed brings its price, in both forms`(
        form: Int
    ) async throws {
        let shop = try await Shop()
        try await shop.world.run {
            try await shop.lapse()
            let bought = try await Kiosk.buy(
                Kiosk.monthly, options: try shop.offers(Self.offer)[form])
            #expect(bought.offer?.type == .promotional && bought.offer?.id == Self.offer)
            #expect(bought.price == Decimal(string: "0.99"))
        }
    }

    @available(*, deprecated)
    @Test(arguments: [0, 1])
    func `an offer that was signed for another is refused, and nothing is bought`(
        form: Int
    ) async throws {
        let shop = try await Shop()
        try await shop.world.run {
            try await shop.lapse()
            let before = try await shop.world.transactions().count
            let options = try shop.offers(Self.offer, of: "autumn")[form]
            await #expect(throws: StoreKit.Product.PurchaseError.self) {
                _ = try await Kiosk.product(Kiosk.monthly).purchase(options: options)
            }
            #expect(try await shop.world.transactions().count == before)
        }
    }

    @Test func `a purchase that simulates Ask to Buy waits for approval`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let updates = Collector.updates()
            let result = try await Kiosk.product(Kiosk.archive)
                .purchase(options: [.simulatesAskToBuyInSandbox(true)])
            guard case .pending = result else { throw Trouble("got \(result)") }
            let number = try #require(try await world.approvals.first)
            try await world.post("/approvals/\(number)/approve")
            #expect(try await updates.first().first?.payloadValue.productID == Kiosk.archive)
        }
    }
}
