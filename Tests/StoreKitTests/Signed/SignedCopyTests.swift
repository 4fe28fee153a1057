import Foundation
import StoreWire
import Testing

@testable import StoreKit

/// What a copy makes of the store's answers.
@Suite struct SignedCopyTests {
    private static func text(_ payload: String) throws -> SignedText {
        let payload = Data(payload.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        return try #require(SignedText("aGVhZA.\(payload).c2ln"))
    }

    private static func entry(
        _ id: UInt64, _ payload: String, isFinished: Bool = false
    ) throws -> SignedEntry {
        SignedEntry(
            id: id, attemptId: "a", deviceGuid: "d", isFinished: isFinished,
            text: try text(payload))
    }

    @Test func `what was only signed again is no change, and stays as it was`() throws {
        var copy = SignedCopy()
        let first = try Self.entry(1, #"{"price":1,"signedDate":5,"deviceVerificationNonce":"x"}"#)
        #expect(copy.take(first)?.isNew == true)
        let again = try Self.entry(1, #"{"price":1,"signedDate":6,"deviceVerificationNonce":"y"}"#)
        #expect(copy.take(again) == nil)
        #expect(copy.entries[1]?.text == first.text)
        let refunded = try Self.entry(1, #"{"price":1,"signedDate":7,"revocationDate":7}"#)
        #expect(copy.take(refunded)?.isNew == false)
        #expect(copy.entries[1]?.text == refunded.text)
    }

    @Test func `a finish counts once, and no later answer takes it back`() throws {
        var copy = SignedCopy()
        _ = copy.take(try Self.entry(1, #"{"price":1}"#))
        #expect(copy.finish(1) && !copy.finish(1) && !copy.finish(2))
        #expect(copy.take(try Self.entry(1, #"{"price":1}"#, isFinished: false)) == nil)
        #expect(copy.entries[1]?.isFinished == true)
        // The store has not heard of the finish when it tells a refund.
        #expect(copy.take(try Self.entry(1, #"{"price":1,"revocationDate":2}"#))?.isNew == false)
        #expect(copy.entries[1]?.isFinished == true)
    }

    @Test func `what is fetched anew takes the place of what says the same`() throws {
        var copy = SignedCopy()
        _ = copy.take(try Self.entry(1, #"{"price":1,"signedDate":1}"#))
        let again = try Self.entry(1, #"{"price":1,"signedDate":2}"#)
        #expect(copy.take(again, isAnew: true) == nil)
        #expect(copy.entries[1]?.text == again.text)
    }

    @Test func `statuses are told when they change, but not when only the renewal is switched`()
        throws
    {
        func group(_ number: Int, _ renewal: String) throws -> SignedCopy.Group {
            let body = SignedGroupBody(
                groupId: "g", isEligibleForIntroductoryOffer: false,
                statuses: [
                    SignedStatusBody(
                        status: number, originalTransactionId: "1",
                        transaction: Self.rest(of: #"{"originalTransactionId":"1"}"#),
                        renewal: Self.rest(of: renewal))
                ])
            return SignedCopy.Group(body, header: "aGVhZA")
        }
        var copy = SignedCopy()
        #expect(copy.take([try group(1, #"{"autoRenewStatus":1,"signedDate":1}"#)]).count == 1)
        #expect(copy.take([try group(1, #"{"autoRenewStatus":1,"signedDate":2}"#)]).isEmpty)
        #expect(copy.take([try group(1, #"{"autoRenewStatus":0,"signedDate":3}"#)]).isEmpty)
        let payload = copy.groups.first?.statuses.first?.renewal.payload
        #expect(payload == Data(#"{"autoRenewStatus":0,"signedDate":3}"#.utf8))
        #expect(
            copy.take([
                try group(1, #"{"autoRenewStatus":0,"autoRenewProductId":"b","signedDate":4}"#)
            ]).count == 1)
        #expect(copy.take([try group(2, #"{"autoRenewStatus":0,"signedDate":5}"#)]).count == 1)
    }

    private static func rest(of payload: String) -> String {
        Data(payload.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "") + ".c2ln"
    }
}
