import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import PurchaseBackend

/// Who is given a promotional offer, how often, and what is signed.
@Suite(.ownThreads) struct OfferTests {
    private typealias Answers = SubscriptionAnswers

    private static let key = Result { try CurvePrivateKey.make() }
    private static let keyID = "KEY1234567"
    private static let bundleID = "com.example.rocketcar"

    private func rig(
        hasKey: Bool = true, keyID: String = keyID, folder: TemporaryFolder? = nil,
        firstRandom: Int = 0
    ) throws -> Rig {
        let key = try Self.key.get()
        return try Rig(
            products: Rig.subscriptions, folder: folder, firstRandom: firstRandom,
            secret: "secret",
            signing: hasKey
                ? OfferSigning(key: key, keyID: keyID, bundleID: Self.bundleID) : nil)
    }

    private func ask(
        _ rig: Rig, _ token: String?, product: String = "gold.month", offer: String = "back",
        username: String? = nil
    ) throws -> HTTPResponse {
        let body = OfferRequestBody(
            productId: product, offerId: offer, applicationUsername: username)
        return try rig.send(
            "POST", "/v1/offers", token: token,
            String(decoding: try WireJSON.encode(body), as: UTF8.self))
    }

    private func given(_ answer: HTTPResponse) throws -> OfferSignatureBody {
        try WireJSON.decode(OfferSignatureBody.self, from: answer.body)
    }

    /// Hears of a subscription that ran out.
    private func lapse(
        _ rig: Rig, _ token: String, product: String = "gold.month", transaction: String = "1"
    ) throws {
        let period = Answers.Period(
            product: product, transaction: transaction, original: transaction)
        let renewal = Answers.Renewal(
            original: transaction, product: product, renews: false, isRetried: false, intent: 1)
        rig.store.answer(
            .text(Answers.unified([period], [renewal], at: Answers.start + Answers.month)))
        _ = try rig.submit(token, product: product, transaction: transaction)
    }

    @Test func `a former subscriber of the group is given a signed offer`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        try lapse(rig, token)
        let answer = try ask(rig, token)
        let body = try given(answer)
        // A signature is another one each time.
        try expectGolden(
            answer.transcript.replacingOccurrences(of: body.signature, with: "MEUCIQ=="),
            "offers-signed")
        try verify(body, at: rig.clock.now)
        #expect(AppAccountToken(applicationUsername: body.applicationUsername) != nil)
        #expect(rig.log.contains { $0.contains("\"offer.signed\"") })
    }

    /// Whether the store would take it.
    private func verify(_ body: OfferSignatureBody, at now: Timestamp) throws {
        let ring = OfferKeyRing(
            bundleID: Self.bundleID, issuerID: nil,
            keys: [
                OfferKey(
                    id: Self.keyID, publicKeyInfo: try Self.key.get().publicKeyInfo(),
                    isRevoked: false)
            ])
        let found = try OfferSignatureVerifier(ring, at: now).verify(
            OfferSignature(
                keyID: body.keyIdentifier, nonce: body.nonce,
                timestampMilliseconds: body.timestamp, signature: body.signature),
            for: OfferTerms(
                product: "gold.month", offer: "back", applicationUsername: body.applicationUsername)
        )
        #expect(found.nonce.text == body.nonce)
    }

    @Test func `an offer is refused to a customer who never subscribed`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        try expectGolden(ask(rig, token).transcript, "offers-not-eligible")
        try lapse(rig, token, product: "radio")
        #expect(try ask(rig, token).status == 403, "another group")
        #expect(try ask(rig, token, product: "radio", offer: "louder").status == 200)
        let other = try rig.signUp("emil")
        #expect(try ask(rig, other, product: "radio", offer: "louder").status == 403)
    }

    @Test func `an offer missing from the list is not found`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        try lapse(rig, token)
        #expect(try ask(rig, token, product: "gold.year").status == 404)
        #expect(try ask(rig, token, product: "coins").status == 404)
        #expect(try ask(rig, token, product: "gems").status == 404)
        #expect(try ask(rig, token, offer: "louder").status == 404)
        #expect(try ask(rig, nil).status == 401)
        let without = try self.rig(hasKey: false)
        let same = try without.signUp()
        try lapse(without, same)
        #expect(try ask(without, same).status == 404)
    }

    @Test(arguments: [
        ("{}", 400), ("[]", 400), (#"{"productId":"","offerId":"back"}"#, 422),
        (#"{"productId":"gold.month","offerId":"ba\u0000ck"}"#, 422),
        (#"{"productId":"gold.month","offerId":"back","applicationUsername":"a\u2063b"}"#, 422),
        (#"{"productId":"gold.month","offerId":"back","applicationUsername":"\#(long)"}"#, 422),
        (#"{"productId":"gold.month","offerId":"back","applicationUsername":""}"#, 200),
        (#"{"productId":"gold.month","offerId":"back"}"#, 200),
    ])
    func `an offer request body is read or refused`(body: String, status: Int) throws {
        let rig = try rig()
        let token = try rig.signUp()
        try lapse(rig, token)
        let answer = try rig.send("POST", "/v1/offers", token: token, body)
        #expect(answer.status == status, "\(answer.text)")
        let count: Int64 = status == 200 ? 1 : 0
        #expect(try rig.count("SELECT count(*) FROM offer_signatures") == count)
    }

    private static let long = String(repeating: "x", count: 256)

    @Test func `a repeated request gets the same signature while it is good for an hour`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        try lapse(rig, token)
        let first = try given(ask(rig, token))
        rig.clock.advance(milliseconds: Answers.day - 3_600_000)
        #expect(try given(ask(rig, token)) == first)
        #expect(try given(ask(rig, token, username: first.applicationUsername)) == first)
        rig.clock.advance(milliseconds: 1)
        let again = try given(ask(rig, token))
        #expect(again.nonce == first.nonce, "the store takes it once")
        #expect(again.timestamp == rig.clock.now.milliseconds)
        try verify(again, at: rig.clock.now.adding(milliseconds: Answers.day - 1))
        #expect(try rig.count("SELECT count(*) FROM offer_signatures") == 1)
        #expect(try given(ask(rig, token)) == again)
        // Not for ever: a payment may have used it that nobody told of.
        rig.clock.advance(milliseconds: Answers.day - 1)
        #expect(try given(ask(rig, token)) == again)
        rig.clock.advance(milliseconds: 1)
        let second = try given(ask(rig, token))
        #expect(second.nonce != first.nonce)
        #expect(second.timestamp == rig.clock.now.milliseconds)
    }

    @Test func `an offer used while being signed again is not given`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        try lapse(rig, token)
        let first = try given(ask(rig, token))
        rig.clock.advance(milliseconds: Answers.day - 1_000)
        let gate = Gate()
        rig.database.write(
            { scope in
                gate.wait()
                _ = try scope.execute(
                    """
                    UPDATE offer_signatures SET used_environment = 'production',
                        used_transaction = '2'
                    """)
            }, then: { _ in })
        let body = #"{"productId":"gold.month","offerId":"back"}"#
        let waiting = rig.begin("POST", "/v1/offers", token: token, body)
        gate.open()
        #expect(try waiting.answer().errorCode == "offerUsedUp")
        let kept = try rig.database.read { scope in
            try scope.row("SELECT signed_at FROM offer_signatures")?.integer(0)
        }
        #expect(kept == first.timestamp)
    }

    @Test func `the offer limit counts uses as receipts show them`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        try lapse(rig, token, product: "radio")
        var times = 0
        for number in 2...3 {
            #expect(try ask(rig, token, product: "radio", offer: "louder").status == 200)
            var period = Answers.Period(
                product: "radio", transaction: "\(number)", original: "1",
                begins: Answers.start + 2 * Int64(number) * Answers.month,
                ends: Answers.start + (2 * Int64(number) + 1) * Answers.month)
            period.offer = "louder"
            rig.store.answer(
                .text(
                    Answers.unified(
                        [period], [.init(original: "1", product: "radio")], at: period.begins)))
            _ = try rig.submit(token, product: "radio", transaction: "\(number)")
            times += 1
            #expect(
                try rig.count(
                    "SELECT count(*) FROM offer_signatures WHERE used_transaction IS NOT NULL")
                    == times)
            // While it runs, no second one; the same receipt again uses nothing more.
            let answer = try ask(rig, token, product: "radio", offer: "louder")
            #expect(try answer.errorCode == "offerInUse")
            _ = try rig.submit(token, product: "radio", transaction: "\(number)")
            let plain = Answers.Period(
                product: "radio", transaction: "\(number)9", original: "1", begins: period.ends - 2,
                ends: period.ends - 1)
            rig.store.answer(
                .text(
                    Answers.unified(
                        [plain, period], [.init(original: "1", product: "radio", renews: false)],
                        at: period.ends)))
            _ = try rig.submit(token, product: "radio", transaction: "\(number)9")
        }
        let answer = try ask(rig, token, product: "radio", offer: "louder")
        try expectGolden(answer.transcript, "offers-used-up")
        rig.clock.advance(milliseconds: 90 * Answers.day)
        #expect(try ask(rig, token, product: "radio", offer: "louder").status == 409)
    }

    @Test func `an offer is signed for the backend's user name and no other`() throws {
        let rig = try rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        try lapse(rig, dora)
        try lapse(rig, emil, transaction: "9")
        let (hers, his) = (try given(ask(rig, dora)), try given(ask(rig, emil)))
        #expect(hers.applicationUsername != his.applicationUsername)
        for name in [his.applicationUsername, "Driver"] {
            let answer = try ask(rig, dora, username: name)
            #expect(answer.status == 422)
            #expect(try answer.errorCode == "badField")
        }
        #expect(try rig.count("SELECT count(*) FROM offer_signatures") == 2)
    }

    @Test func `an offer use counts for the user it was signed for, whoever submits the receipt`()
        throws
    {
        let rig = try rig()
        let dora = try rig.signUp("dora", forGood: true)
        let emil = try rig.signUp("emil", forGood: true)
        try lapse(rig, dora)
        let hers = try given(ask(rig, dora))
        var period = Answers.Period(transaction: "9", original: "9")
        period.offer = "back"
        period.account = hers.applicationUsername.uppercased()
        rig.store.answer(.text(Answers.unified([period], [.init(original: "9")])))
        let sent = try rig.submit(emil, product: "gold.month", transaction: "9")
        #expect(try sent.outcome.status == .granted)
        #expect(
            try rig.count("SELECT count(*) FROM offer_signatures WHERE used_transaction = '9'") == 1
        )
        rig.clock.advance(milliseconds: 90 * Answers.day)
        #expect(try ask(rig, dora).errorCode == "offerUsedUp")
    }

    @Test func `of several signatures, the newest counts as the one used`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        try lapse(rig, token)
        let old = try given(ask(rig, token))
        rig.clock.advance(milliseconds: Answers.day)
        let new = try given(ask(rig, token))
        #expect(old.nonce != new.nonce)
        var period = Answers.Period(
            transaction: "2", original: "1", begins: Answers.start + 2 * Answers.month,
            ends: Answers.start + 3 * Answers.month)
        period.offer = "back"
        rig.store.answer(
            .text(Answers.unified([period], [.init(original: "1")], at: period.begins)))
        _ = try rig.submit(token, product: "gold.month", transaction: "2")
        let used = try rig.database.read { scope in
            try scope.rows("SELECT nonce FROM offer_signatures WHERE used_transaction = '2'")
                .map { $0.text(0) }
        }
        #expect(used == [new.nonce])
    }

    @Test func `a new key signs again what nobody used yet`() throws {
        let folder = TemporaryFolder()
        let before = try rig(folder: folder)
        let token = try before.signUp()
        try lapse(before, token)
        #expect(try given(ask(before, token)).keyIdentifier == Self.keyID)
        let after = try rig(keyID: "KEY7654321", folder: folder, firstRandom: 100)
        #expect(try given(ask(after, token)).keyIdentifier == "KEY7654321")
    }

    @Test func `no listener thread waits for the commit of an offer`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        let other = try rig.signUp("emil")
        try lapse(rig, token)
        let gate = Gate()
        rig.database.write({ _ in gate.wait() }, then: { _ in })
        defer { gate.open() }
        let asked = Mutex<PendingAnswer?>(nil)
        let isBack = DispatchSemaphore(value: 0)
        let body = #"{"productId":"gold.month","offerId":"back"}"#
        Thread.detachNewThread {
            let waiting = rig.begin("POST", "/v1/offers", token: token, body)
            asked.withLock { $0 = waiting }
            isBack.signal()
        }
        try #require(isBack.wait(timeout: .now() + .seconds(300)) == .success)
        let waiting = try #require(asked.withLock { $0 })
        #expect(!waiting.isThere, "not before its commit")
        let refused = rig.begin("POST", "/v1/offers", token: other, body)
        #expect(refused.isThere, "a refusal needs no commit")
        gate.open()
        #expect(try waiting.answer().status == 200)
    }

    @Test func `concurrent requests are promised one offer`() throws {
        let rig = try rig()
        let token = try rig.signUp()
        try lapse(rig, token)
        let nonces = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            guard let body = try? given(ask(rig, token)) else { return }
            nonces.withLock { _ = $0.insert(body.nonce) }
        }
        #expect(nonces.withLock(\.count) == 1)
        #expect(try rig.count("SELECT count(*) FROM offer_signatures") == 1)
    }

    @Test func `an offer key is read from a file that only its owner can read`() throws {
        let folder = TemporaryFolder()
        let pem = String(decoding: try Self.key.get().pem(), as: UTF8.self)
        let file = try folder.write(pem, "offer-key.pem")
        var configuration = BackendConfiguration(
            dataDirectory: "", productionURL: "", sandboxURL: "", productListFile: "")
        #expect(try OfferSigning.read(configuration, bundleID: "b")?.keyID == nil)
        configuration.offerKeyFile = file
        let alone = #expect(throws: BackendError.self) {
            try OfferSigning.read(configuration, bundleID: "b")
        }
        #expect(alone?.detail.contains("--offer-key-id") == true)
        configuration.offerKeyID = Self.keyID
        chmod(file, 0o644)
        let open = #expect(throws: BackendError.self) {
            try OfferSigning.read(configuration, bundleID: "b")
        }
        #expect(open?.detail.contains("chmod 600") == true)
        chmod(file, 0o600)
        #expect(try OfferSigning.read(configuration, bundleID: "b")?.keyID == Self.keyID)
        try "no key".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(throws: BackendError.self) {
            try OfferSigning.read(configuration, bundleID: "b")
        }
    }
}
