import Foundation
import Testing

@testable import StoreKit

@Suite struct VerificationResultTests {
    typealias Samples = SignedSamples

    @Test func `a verified value is given, and an unverified one throws why it is not`() throws {
        let transaction = try Transaction(Samples.signed(Samples.transaction))
        let verified = VerificationResult.verified(transaction)
        let unverified = VerificationResult.unverified(transaction, .invalidSignature)
        #expect(try verified.payloadValue == transaction)
        #expect(verified.unsafePayloadValue == transaction)
        #expect(unverified.unsafePayloadValue == transaction)
        #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
            try unverified.payloadValue
        }
        #expect(verified != unverified)
        #expect(Set([verified, unverified, verified]).count == 2)
        #expect(unverified.debugDescription.hasPrefix("unverified, invalidSignature: {"))
    }

    @Test func `the parts of the JWS are those of a value, verified or not`() throws {
        let signed = try Samples.signed(Samples.transaction)
        let result = VerificationResult.unverified(try Transaction(signed), .invalidEncoding)
        #expect(result.jwsRepresentation == signed.text)
        #expect(result.headerData == Data(#"{"alg":"ES256"}"#.utf8))
        #expect(result.payloadData == signed.payload)
        #expect(result.signatureData == Data(repeating: 0xFB, count: 64))
        #expect(result.signedData == signed.signedBytes)
        #expect(result.deviceVerification == Data([1, 2, 3, 4]))
        #expect(result.deviceVerificationNonce == UUID(uuidString: Samples.nonce))
        #expect(result.signedDate == Date(milliseconds: 1_700_000_400_000))
    }

    @Test func `renewals and apps' purchases have the parts of their JWS, too`() throws {
        let renewal = VerificationResult.verified(
            try Product.SubscriptionInfo.RenewalInfo(Samples.signed(Samples.renewal)))
        #expect(renewal.jwsRepresentation.hasSuffix(Samples.base64url(renewal.signatureData)))
        #expect(renewal.payloadData == renewal.unsafePayloadValue.jsonRepresentation)
        #expect(renewal.signedDate == renewal.unsafePayloadValue.signedDate)
        let app = VerificationResult.verified(try AppTransaction(Samples.signed(Samples.app)))
        #expect(app.jwsRepresentation.hasSuffix(Samples.base64url(app.signatureData)))
        #expect(app.payloadData == app.unsafePayloadValue.jsonRepresentation)
        #expect(app.deviceVerificationNonce == UUID(uuidString: Samples.nonce))
    }
}
