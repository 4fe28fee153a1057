import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What a user can leave behind by sending good receipts again and again.
@Suite(.ownThreads) struct RepeatLimitTests {
    /// A user who sent as many granted purchases again as are stored.
    private func full(_ rig: Rig) throws -> String {
        let token = try rig.signUp(forGood: true)
        rig.store.verified(.init())
        #expect(try rig.submit(token).outcome.status == .granted)
        for _ in 0..<BackendLimits.repeatsPerUserMax {
            #expect(try rig.submit(token).outcome.status == .alreadyGranted)
            rig.clock.advance(milliseconds: 1_000)
        }
        return token
    }

    @Test func `too many repeats are answered from the record, and nothing new is held up`()
        throws
    {
        let rig = try Rig()
        let token = try full(rig)
        let calls = rig.store.requests.count
        let rows = try rig.count("SELECT count(*) FROM submissions")
        for receipt in ["cmVjZWlwdA==", "YW5vdGhlcg=="] {
            let known = try rig.submit(
                token, receipt: receipt, passThrough: ["level": "3"]
            ).outcome
            #expect(known.status == .alreadyGranted)
            #expect(known.content != nil)
            #expect(known.passThrough == ["level": "3"])
        }
        #expect(rig.store.requests.count == calls + 1, "asked once, as before any content")
        #expect(try rig.count("SELECT count(*) FROM submissions") == rows, "nothing is stored")
        rig.store.verified(.init(transaction: "2"))
        #expect(try rig.submit(token, transaction: "2").outcome.status == .granted)
        rig.store.verified(.init())
        let other = try rig.submit(rig.signUp("emil"))
        #expect(try other.outcome.reason == "ownedByAnotherUser", "a record answers its owner only")
        // The first repetition is an hour old.
        rig.clock.advance(
            milliseconds: BackendLimits.repeatWindowMilliseconds
                - Int64(BackendLimits.repeatsPerUserMax) * 1_000)
        #expect(try rig.submit(token).outcome.status == .alreadyGranted)
        #expect(rig.store.requests.count == calls + 4)
        rig.clock.advance(milliseconds: -30 * 86_400_000)
        #expect(try rig.submit(token).status == 200, "a clock that was put back stops nobody")
    }

    @Test func `a repeat is answered from the record after the store was asked about a refund`()
        throws
    {
        let rig = try Rig()
        let token = try full(rig)
        rig.store.verified(.init(isCancelled: true))
        rig.clock.advance(milliseconds: 1_000)
        #expect(try rig.submit(token).outcome.reason == "cancelled")
        rig.store.answer(.failure(.unreachable))
        rig.clock.advance(milliseconds: 1_000)
        #expect(try rig.submit(token).outcome.reason == "cancelled")
    }

    @Test func `too many refusals do not hold up what was granted before`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        #expect(try rig.submit(token).outcome.status == .granted)
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        for number in 0..<BackendLimits.refusalsPerUserMax {
            _ = try rig.submit(token, transaction: "made-up-\(number)")
        }
        #expect(try rig.submit(token, transaction: "2").errorCode == "tooManyRefused")
        #expect(try rig.submit(token).outcome.status == .alreadyGranted)
    }
}
