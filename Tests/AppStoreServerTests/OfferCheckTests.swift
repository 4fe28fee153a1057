import Foundation
import StoreDatabase
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// Whether a payment gets its promotional offer, within a commit.
struct OfferCheckTests {
    private typealias F = OfferFixture
    private static let day: Int64 = 86_400_000
    private let fixture: OfferFixture
    private let key: MadeOfferKeyBody
    private let signer: OfferSigner

    init() async throws {
        fixture = try await OfferFixture()
        key = try await fixture.makeKey()
        signer = OfferSigner(
            key: try CurvePrivateKey(pem: Array(key.privateKey.utf8)), keyID: key.keyId,
            bundleID: TestStore.bundleID)
    }

    private func nonce(_ number: Int = 1) throws -> OfferNonce {
        let digits = "\(number)"
        let text =
            "6C1E2D58-9A57-4D0B-8E0A-" + String(repeating: "0", count: 12 - digits.count) + digits
        return try #require(OfferNonce(text))
    }

    /// A discount as a device sends it, signed just now.
    private func body(
        offer: String = OfferFixture.spring, product: String = Samples.club,
        user: String? = "driver", nonce number: Int = 1
    ) throws -> DiscountBody {
        let made = try signer.signature(
            for: OfferTerms(product: product, offer: offer, applicationUsername: user),
            nonce: try nonce(number), at: TestStore.start)
        return DiscountBody(
            identifier: offer, keyIdentifier: made.keyID, nonce: made.nonce.uppercased(),
            signature: made.signature, timestamp: made.timestampMilliseconds)
    }

    private func jwsBody(
        offer: String = OfferFixture.spring, issuer: String? = nil, nonce number: Int = 1
    ) throws -> DiscountBody {
        let text = try signer.jws(
            for: OfferTerms(product: Samples.club, offer: offer),
            issuerID: issuer ?? key.issuerId, nonce: try nonce(number),
            transaction: "2000000000000000", at: TestStore.start)
        return DiscountBody(identifier: offer, compactJWS: text)
    }

    /// Takes an offer in a commit; the failure when it is not given.
    private func take(
        _ body: DiscountBody, product id: String = Samples.club, user: String? = "driver",
        at price: String = "1.99", afterMilliseconds delay: Int64 = 0
    ) throws -> Result<SoundOffer, OfferFailure> {
        let app = try fixture.appID()
        let currency = try #require(Currency(code: "USD"))
        let money = try #require(Price(decimal: price)).in(currency)
        return try fixture.database.write { scope in
            let found = try scope.reading.product(ProductID(id), of: app)
            let product = try #require(found)
            do {
                let now = TestStore.start.adding(milliseconds: delay)
                let sound = try scope.reading.soundOffer(
                    body.discount, for: product, at: money, in: app,
                    bundleID: TestStore.bundleID, applicationUsername: user, realNow: now)
                try scope.useUp(
                    sound.proof.nonce, until: sound.proof.endsAt, in: app, realNow: now)
                return .success(sound)
            } catch let failure as OfferFailure {
                return .failure(failure)
            }
        }
    }

    private func refusal(_ result: Result<SoundOffer, OfferFailure>) -> OfferRefusal? {
        if case .failure(let failure) = result { failure.refusal } else { nil }
    }

    @Test func `a correctly signed offer is granted as signed`() throws {
        let first = try take(try body()).get()
        #expect(first.offer.id == F.spring && first.offer.kind == .promotional)
        #expect(first.proof.nonce == (try nonce()) && first.proof.transactionID == nil)
        let second = try take(try jwsBody(nonce: 2)).get()
        #expect(second.proof.transactionID == "2000000000000000")
        #expect(try fixture.rowCounts()["offer_nonce"] == 2)
    }

    @Test func `a key from a catalogue file signs offers, too`() async throws {
        await fixture.importFile(keyPair: F.pair()).expectStatus(200)
        let signer = OfferSigner(
            key: try CurvePrivateKey(pkcs8InBase64: F.privateKey), keyID: "0FFE4000",
            bundleID: TestStore.bundleID)
        let made = try signer.signature(
            for: OfferTerms(product: Samples.club, offer: F.spring), nonce: try nonce(),
            at: TestStore.start)
        let body = DiscountBody(
            identifier: F.spring, keyIdentifier: made.keyID, nonce: made.nonce,
            signature: made.signature, timestamp: made.timestampMilliseconds)
        #expect(refusal(try take(body, user: nil)) == nil)
    }

    @Test func `a nonce is accepted once in any spelling and a refused offer uses none`() throws {
        #expect(refusal(try take(try body(), user: "another")) == .invalidSignature)
        #expect(refusal(try take(try body(), at: "0.99")) == .invalidOfferPrice)
        #expect(refusal(try take(try body())) == nil)
        let again = try take(try body())
        #expect(refusal(again) == .invalidSignature)
        #expect(throws: OfferFailure.self) { try again.get() }
        #expect(refusal(try take(try jwsBody())) == .invalidSignature)
        #expect(refusal(try take(try body(nonce: 2))) == nil)
        let app = try fixture.appID()
        let used = try nonce()
        #expect(try fixture.database.read { try $0.isUsed(used, in: app) })
        #expect(
            try !fixture.database.read { try $0.isUsed(used, in: AppID(app.rawValue + 1)) },
            "a nonce is of its app")
    }

    @Test func `concurrent purchases use a nonce once`() async throws {
        let body = try body()
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { refusal(try take(body)) == nil } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 1)
    }

    @Test func `every missing part of a signed offer gets the same refusal`() throws {
        let whole = try body()
        func without(_ change: (inout [String: Any]) -> Void) throws -> DiscountBody {
            let data = Data(try WireJSON.encode(whole))
            var members = try #require(
                try JSONSerialization.jsonObject(with: data) as? [String: Any])
            change(&members)
            let text = try JSONSerialization.data(withJSONObject: members)
            return try WireJSON.decode(DiscountBody.self, from: Array(text))
        }
        for name in ["identifier", "keyIdentifier", "nonce", "signature", "timestamp"] {
            let absent = try without { $0[name] = nil }
            #expect(refusal(try take(absent)) == .missingOfferParameters, "\(name)")
            guard name != "timestamp" else { continue }
            let empty = try without { $0[name] = "" }
            #expect(refusal(try take(empty)) == .missingOfferParameters, "\(name) empty")
        }
        let jws = DiscountBody(identifier: F.spring, compactJWS: "")
        #expect(refusal(try take(jws)) == .missingOfferParameters)
        #expect(refusal(try take(DiscountBody(identifier: nil))) == .missingOfferParameters)
        #expect(refusal(try take(try without { _ in })) == nil)
    }

    @Test func `an offer the product does not have is refused`() throws {
        for offer in ["summer", F.fair, "Spring"] {
            #expect(refusal(try take(try body(offer: offer))) == .invalidOfferIdentifier)
        }
        let other = try body(product: Samples.fuel)
        #expect(refusal(try take(other, product: Samples.fuel)) == .invalidOfferIdentifier)
    }

    @Test func `an offer that is no cheaper is refused only after its signature was checked`()
        throws
    {
        #expect(refusal(try take(try body(offer: F.dear))) == .invalidOfferPrice)
        #expect(refusal(try take(try body(offer: F.dear), at: "2")) == nil)
        #expect(
            refusal(try take(try body(offer: F.dear, nonce: 2), user: "another"))
                == .invalidSignature)
    }

    @Test func `an offer signature expires after a day and ends with its key`() async throws {
        let body = try body()
        for (delay, expected) in [
            (Self.day, .invalidSignature), (-300_001, .invalidSignature), (Self.day - 1, nil),
        ] as [(Int64, OfferRefusal?)] {
            #expect(refusal(try take(body, afterMilliseconds: delay)) == expected)
        }
        try await fixture.store.control("DELETE", "\(F.keys)/\(key.keyId)").expectStatus(200)
        let late = try take(try self.body(nonce: 2))
        #expect(
            late == .failure(.init(refusal: .invalidSignature, why: "The offer key was revoked.")))
        #expect(refusal(try take(try jwsBody(nonce: 2))) == .invalidSignature)
    }

    @Test func `another app's key and another developer account's issuer are refused`() async throws
    {
        let other = "/control/v1/apps/com.example.other"
        await fixture.store.send(
            "PUT", "\(other)/catalog", token: TestStore.controlToken,
            body: Array(F.catalogue().utf8)
        ).expectStatus(200)
        let answer = try await fixture.store.control("POST", "\(other)/offer-keys")
        let foreign = try WireJSON.decode(MadeOfferKeyBody.self, from: answer.body)
        let signer = OfferSigner(
            key: try CurvePrivateKey(pem: Array(foreign.privateKey.utf8)), keyID: foreign.keyId,
            bundleID: TestStore.bundleID)
        let made = try signer.signature(
            for: OfferTerms(product: Samples.club, offer: F.spring, applicationUsername: "driver"),
            nonce: try nonce(), at: TestStore.start)
        for key in [foreign.keyId, key.keyId] {
            let body = DiscountBody(
                identifier: F.spring, keyIdentifier: key, nonce: made.nonce,
                signature: made.signature, timestamp: made.timestampMilliseconds)
            #expect(refusal(try take(body)) == .invalidSignature)
        }
        let issuer = "00000000-0000-4000-8000-000000000000"
        #expect(refusal(try take(try jwsBody(issuer: issuer))) == .invalidSignature)
    }

    @Test func `nonces are kept as long as their signature could come again`() throws {
        for number in 1...30 { #expect(refusal(try take(try body(nonce: number))) == nil) }
        #expect(try fixture.rowCounts()["offer_nonce"] == 30)
        let app = try fixture.appID()
        func use(_ number: Int, afterMilliseconds delay: Int64) throws -> Bool {
            let now = TestStore.start.adding(milliseconds: delay)
            let nonce = try nonce(number)
            return try fixture.database.write { scope in
                try scope.use(nonce, in: app, untilReal: now, realNow: now)
            }
        }
        // Two days: one that it is good for, one in case the clock is set back.
        #expect(try use(1, afterMilliseconds: 2 * Self.day) == false)
        #expect(try fixture.rowCounts()["offer_nonce"] == 30)
        for number in 101...103 { #expect(try use(number, afterMilliseconds: 2 * Self.day + 1)) }
        #expect(try fixture.rowCounts()["offer_nonce"] == 3)
    }
}
