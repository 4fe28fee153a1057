import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

private let outsidePython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"]

/// Apple's library for servers signs offers for us, and others' code checks ours.
@Suite(
    .enabled(
        if: outsidePython != nil, "BODEGA_PYTHON names no Python with the verifiers"))
struct OutsideOfferTests {
    private typealias S = OfferSamples

    private struct Made: Decodable {
        let signature: String
        let jws: String
    }

    private func run(_ arguments: [String]) throws -> Command {
        try Command(
            try #require(outsidePython),
            [OutsideVerifierTests.scripts.appendingPathComponent("sign_offer.py").path] + arguments)
    }

    private func options(_ folder: TemporaryFolder, user: String) -> [String] {
        [
            "--key", folder.file("key.p8"), "--key-id", S.keyID, "--bundle-id", Samples.bundleID,
            "--issuer-id", S.issuerID, "--product", S.product, "--offer", S.offer, "--user", user,
            "--nonce", S.nonce, "--timestamp", "\(S.signedAt.milliseconds)",
        ]
    }

    @Test(arguments: ["", "Driver-ÄÖ", "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"])
    func `an offer signed by Apple's library with our key is accepted`(user: String) throws {
        let folder = TemporaryFolder()
        let key = try CurvePrivateKey.make()
        try folder.write(try key.pem(), "key.p8")
        let done = try run(["sign"] + options(folder, user: user))
        try #require(done.status == 0, "\(done.output)")
        let made = try JSONDecoder().decode(Made.self, from: Data(done.output.utf8))
        let terms = S.terms(user: user)
        let ring = try S.ring(key: key)
        #expect(throws: Never.self) {
            try S.verifier(ring).verify(S.signature(made.signature), for: terms)
        }
        // That library puts the present moment into a JWS.
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let verified = try OfferSignatureVerifier(ring, at: now).verify(jws: made.jws, for: terms)
        #expect(verified.transactionID == "2000000000000000")
    }

    @Test func `other libraries accept the offers we sign`() throws {
        let folder = TemporaryFolder()
        let key = try CurvePrivateKey.make()
        try folder.write(try key.pem(), "key.p8")
        let signer = OfferSigner(key: key, keyID: S.keyID, bundleID: Samples.bundleID)
        let nonce = try #require(OfferNonce(S.nonce))
        let signature = try signer.signature(for: S.terms(), nonce: nonce, at: S.signedAt)
        let jws = try signer.jws(
            for: S.terms(), issuerID: S.issuerID, nonce: nonce, transaction: "2000000000000000",
            at: S.signedAt)
        let options = options(folder, user: S.user)
        let done = try run(
            ["verify"] + options + ["--signature", signature.signature, "--jws", jws])
        #expect(done.status == 0, "\(done.output)")
        #expect(done.output.contains("ok: the claims"))
        for (name, value) in [("--offer", "summer"), ("--bundle-id", "com.example.other")] {
            let other = try run(
                ["verify"] + options + [name, value, "--signature", signature.signature]
                    + ["--jws", jws])
            #expect(other.status != 0, "the script does fail")
        }
    }
}
