import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// A test store with a subscription that has offers, and accounts in it.
struct OfferFixture {
    static let app = "/control/v1/apps/\(TestStore.bundleID)"
    static let keys = "\(app)/offer-keys"
    static let codes = "\(app)/products/\(Samples.club)/offer-codes"
    /// A promotional offer, and one that costs as much as the subscription.
    static let spring = "spring"
    static let dear = "dear"
    /// An offer for codes, and another one.
    static let fair = "Spring fair"
    static let show = "Car show"
    /// A catalogue's key, used nowhere else: PKCS#8 in base64.
    static let privateKey = """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgI5Tklrzc1B+q2K4yixe/6j5QQxtBqz+ExyR2m51F\
        xuihRANCAARi6mHyxG+KKt0Bls/T3RaeQN3SwL2HgcMgTJiWlGe5HhevRBD7f6ggSHhNmbi3xS5hBUATa26tbWAR\
        xVFqkuOj
        """

    let store: TestStore
    let folder: TemporaryFolder

    init(inspector: Inspector? = nil) async throws {
        folder = TemporaryFolder()
        store = try TestStore(folder: folder, inspector: inspector)
        try await store.stock()
        await importFile().expectStatus(200)
        for name in ["ada", "bea"] {
            try await store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: name, password: "rocket-fuel-1", storefront: nil)
            ).expectStatus(201)
        }
    }

    /// The sample's catalogue with offers, and with what stands for its key pair.
    static func catalogue(keyPair: String? = nil) -> String {
        var text = Samples.catalogue.replacing(
            "\"adHocOffers\" : []",
            with: """
                "adHocOffers" : [
                  { "offerID" : "\(spring)", "paymentMode" : "payAsYouGo",
                    "displayPrice" : "0.99", "subscriptionPeriod" : "P1M" },
                  { "offerID" : "\(dear)", "paymentMode" : "payAsYouGo",
                    "displayPrice" : "1.99", "subscriptionPeriod" : "P1M" }
                ]
                """
        ).replacing(
            "\"codeOffers\" : []",
            with: """
                "codeOffers" : [
                  { "referenceName" : "\(fair)", "paymentMode" : "free",
                    "subscriptionPeriod" : "P1M" },
                  { "referenceName" : "\(show)", "paymentMode" : "free",
                    "subscriptionPeriod" : "P1M" }
                ]
                """)
        if let keyPair {
            text = text.replacing(
                "\"version\" :", with: "\"subscriptionOffersKeyPair\" : \(keyPair), \"version\" :")
        }
        return text
    }

    /// A key pair as it stands in a catalogue file.
    static func pair(_ id: String = "0FFE4000", _ key: String = privateKey) -> String {
        #"{ "id" : "\#(id)", "privateKey" : "\#(key)" }"#
    }

    func importFile(keyPair: String? = nil) async -> HTTPResponse {
        await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken,
            body: Array(Self.catalogue(keyPair: keyPair).utf8))
    }

    func makeKey() async throws -> MadeOfferKeyBody {
        let answer = try await store.control("POST", Self.keys)
        answer.expectStatus(201)
        return try WireJSON.decode(MadeOfferKeyBody.self, from: answer.body)
    }

    func listedKeys() async throws -> OfferKeysBody {
        let answer = try await store.control("GET", Self.keys)
        answer.expectStatus(200)
        return try WireJSON.decode(OfferKeysBody.self, from: answer.body)
    }

    func makeCode(_ body: MakeOfferCodeBody) async throws -> MadeOfferCodeBody {
        let answer = try await store.control("POST", Self.codes, body: body)
        answer.expectStatus(201)
        return try WireJSON.decode(MadeOfferCodeBody.self, from: answer.body)
    }

    func listedCodes() async throws -> [OfferCodeBody] {
        let answer = try await store.control("GET", Self.codes)
        answer.expectStatus(200)
        return try WireJSON.decode(OfferCodesBody.self, from: answer.body).offerCodes
    }

    var database: Database { store.registry.defaultWorld.database }

    func appID() throws -> AppID {
        try database.read { try $0.knownApp(TestStore.bundleID).id }
    }

    func account(_ name: String) throws -> AccountID {
        let found = try database.read { scope in
            try scope.row(
                "SELECT id FROM account WHERE environment = 'sandbox' AND name = ?1",
                [.text(name)])
        }
        return AccountID(try #require(found).integer(0))
    }

    /// All there is in some of the tables.
    func rowCounts() throws -> [String: Int] {
        try database.read {
            try $0.counts(of: [
                "offer_key", "offer_nonce", "offer_code", "one_time_code", "offer_redemption",
            ])
        }
    }
}
