import BodegaTesting
import Foundation
import StoreModel
import StoreVerification
import Synchronization
import TestSupport
import Testing

@testable import StoreKit
@testable import StoreSigning

/// Options of a purchase that the store judges, as an app gives them.
@Suite(.ownThreads, .serialized) struct PurchaseOptionTests {
    fileprivate typealias Option = StoreKit.Product.PurchaseOption

    private static let offer = "spring"

    /// A world with a promotional offer, and the app's server that signs it.
    fileprivate struct Shop {
        private struct Key: Decodable {
            let keyId: String
            let issuerId: String
            let privateKey: String
        }

        let world: BodegaWorld
        private let key: Key

        init() async throws {
            world = try await PurchaseOptionTests.world()
            key = try JSONDecoder().decode(
                Key.self, from: try await world.control("POST", "/apps/\(Kiosk.app)/offer-keys"))
        }

        /// The options that stand for an offer of the monthly subscription, in both of its forms.
        @available(*, deprecated)
        func offers(
            _ id: String, of signedID: String? = nil, in app: String = Kiosk.app,
            secondsAgo: TimeInterval = 0
        ) throws -> [Set<Option>] {
            let signer = try signer(of: app)
            let terms = OfferTerms(product: Kiosk.monthly, offer: signedID ?? id)
            let nonce = UUID()
            let time = moment(secondsAgo: secondsAgo)
            let signed = try signer.signature(
                for: terms, nonce: try #require(OfferNonce(nonce.uuidString)), at: time)
            let jws = try signer.jws(
                for: terms, issuerID: key.issuerId,
                nonce: try #require(OfferNonce(UUID().uuidString)), transaction: nil, at: time)
            return [
                [
                    Option.promotionalOffer(
                        offerID: id, keyID: signed.keyID, nonce: nonce,
                        signature: try #require(Data(base64Encoded: signed.signature)),
                        timestamp: Int(signed.timestampMilliseconds))
                ], Set(Option.promotionalOffer(id, compactJWS: jws)),
            ]
        }

        /// The same, as somebody altered them after they were signed: the first form's time, and
        /// the payload of the second.
        @available(*, deprecated)
        func alteredOffers(_ id: String) throws -> [Set<Option>] {
            try offers(id).map { options in
                switch try #require(options.first).kind {
                case .offer(.signed(let id, let signature)):
                    [
                        Option.promotionalOffer(
                            offerID: id, keyID: signature.keyID, nonce: signature.nonce,
                            signature: signature.signature, timestamp: signature.timestamp + 1)
                    ]
                case .offer(.promotional(let id, let jws)):
                    Set(Option.promotionalOffer(id, compactJWS: try altered(jws)))
                default: throw Trouble("got \(options)")
                }
            }
        }

        private func altered(_ jws: String) throws -> String {
            let parts = jws.split(separator: ".").map(String.init)
            let payload = String(
                decoding: try #require(SignedText(jws)).payload, as: UTF8.self)
            let later = payload.replacing(#""iat":"#, with: #""iat":-"#)
            #expect(later != payload)
            let letters = Data(later.utf8).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            return "\(parts[0]).\(letters).\(parts[2])"
        }

        /// The option in which the app's server says whether a customer gets the trial.
        func introduction(_ isAllowed: Bool, for transaction: String) throws -> Set<Option> {
            let jws = try CompactJWS.text(
                of: IntroductionClaims(
                    iss: key.issuerId, iat: moment(secondsAgo: 0).seconds,
                    aud: IntroductionClaims.audience, bid: Kiosk.app, nonce: UUID().uuidString,
                    productId: Kiosk.monthly, allowIntroductoryOffer: isAllowed,
                    transactionId: transaction),
                header: OfferHeader(kid: key.keyId),
                signedBy: try CurvePrivateKey(pem: Array(key.privateKey.utf8)))
            return [Option.introductoryOfferEligibility(compactJWS: jws)]
        }

        private func signer(of app: String) throws -> OfferSigner {
            OfferSigner(
                key: try CurvePrivateKey(pem: Array(key.privateKey.utf8)), keyID: key.keyId,
                bundleID: app)
        }

        private func moment(secondsAgo seconds: TimeInterval) -> Timestamp {
            Timestamp(
                milliseconds: Int64((Date().timeIntervalSince1970 - seconds) * 1_000))
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

    /// A signed offer that is refused.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: StoreKit.Product.PurchaseError
        let form: Int
        fileprivate let offers: @Sendable (Shop) async throws -> [Set<Option>]

        @available(*, deprecated)
        fileprivate init(
            _ name: String, _ error: StoreKit.Product.PurchaseError, _ form: Int,
            _ offers: @escaping @Sendable (Shop) async throws -> [Set<Option>]
        ) {
            testDescription = "\(name), \(form == 0 ? "a signature" : "a JWS")"
            (self.error, self.form, self.offers) = (error, form, offers)
        }
    }

    @available(*, deprecated)
    private static let refused = [0, 1].flatMap { form in
        [
            Refused("signed for another offer", .invalidOfferSignature, form) {
                try await $0.lapse()
                return try $0.offers(offer, of: "autumn")
            },
            Refused("altered", .invalidOfferSignature, form) {
                try await $0.lapse()
                return try $0.alteredOffers(offer)
            },
            Refused("signed more than a day ago", .invalidOfferSignature, form) {
                try await $0.lapse()
                return try $0.offers(offer, secondsAgo: 86_401)
            },
            Refused("signed for another app", .invalidOfferSignature, form) {
                try await $0.lapse()
                return try $0.offers(offer, in: "com.example.stand")
            },
            Refused("used before", .invalidOfferSignature, form) { shop in
                try await shop.lapse()
                let offers = try shop.offers(offer)
                let bought = try await Kiosk.buy(Kiosk.monthly, options: offers[form])
                try await shop.world.post("/subscriptions/\(bought.originalID)/expire")
                return offers
            },
            Refused("of no offer of the product", .invalidOfferIdentifier, form) {
                try await $0.lapse()
                return try $0.offers("autumn")
            },
            Refused("no cheaper than without", .invalidOfferPrice, form) {
                try await $0.lapse()
                try await $0.world.setPrice("0.99", of: Kiosk.monthly)
                return try $0.offers(offer)
            },
            Refused("for one who never subscribed", .ineligibleForOffer, form) {
                try $0.offers(offer)
            },
        ]
    }

    @available(*, deprecated)
    @Test(arguments: refused)
    func `an offer that is not good is refused with its error, and nothing is bought`(
        refused: Refused
    ) async throws {
        let shop = try await Shop()
        try await shop.world.run {
            let options = try await refused.offers(shop)[refused.form]
            let before = try await shop.world.transactions()
            await #expect(throws: refused.error) {
                _ = try await Kiosk.product(Kiosk.monthly).purchase(options: options)
            }
            #expect(try await shop.world.transactions() == before)
            #expect(try await Transaction.currentEntitlements.all == [])
        }
    }

    @Test func `the app's server gives a trial once more, or none, whatever the store would`()
        async throws
    {
        let shop = try await Shop()
        try await shop.world.run {
            let app = try await AppTransaction.shared.payloadValue.appTransactionID
            let dear = try await Kiosk.buy(
                Kiosk.monthly, options: try shop.introduction(false, for: app))
            #expect(dear.offer == nil && dear.price == Decimal(string: "4.99"))
            try await shop.world.post("/subscriptions/\(dear.id)/expire")
            let trial = try await Kiosk.buy(Kiosk.monthly)
            #expect(trial.offer?.type == .introductory && trial.price == 0)
            try await shop.world.post("/subscriptions/\(trial.originalID)/expire")
            let again = try await Kiosk.buy(
                Kiosk.monthly, options: try shop.introduction(true, for: "\(trial.id)"))
            #expect(again.offer?.type == .introductory && again.price == 0)
        }
    }

    @Test(arguments: [true, false])
    func `an app is asked whether to sell where the sheet has moved to`(
        sells: Bool
    ) async throws {
        let world = try await Kiosk.world()
        let german = try await world.account("adler@example.com", storefront: "DEU")
        let places = Places()
        @Sendable func buy(_ sells: Bool) async throws -> StoreKit.Product.PurchaseResult {
            try await Kiosk.product(Kiosk.archive).purchase(options: [
                .onStorefrontChange { storefront in
                    places.add(storefront.countryCode)
                    return sells
                }
            ])
        }
        // Nobody is signed in, so the store is the American one until the sheet opens.
        let device = Device(world: world)
        let variables = ["STOREKIT_ACCOUNT": "\(german.name):\(german.password)"]
        try await device.launch(variables) {
            #expect(await Storefront.current?.countryCode == "USA")
            do {
                let result = try await buy(sells)
                guard case .success(let bought) = result else { throw Trouble("got \(result)") }
                #expect(try sells && bought.payloadValue.storefront.countryCode == "DEU")
            } catch StoreKit.Product.PurchaseError.productUnavailable {
                #expect(!sells)
            }
            #expect(places.all == ["DEU"])
            #expect(try await world.transactions().count == (sells ? 1 : 0))
            // The next purchase begins where it ends.
            guard case .success = try await buy(false) else { throw Trouble("not bought") }
            #expect(places.all == ["DEU"])
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

/// Where an app was asked whether it sells.
private final class Places: Sendable {
    private let places = Mutex<[String]>([])

    var all: [String] { places.withLock { $0 } }

    func add(_ place: String) { places.withLock { $0.append(place) } }
}
