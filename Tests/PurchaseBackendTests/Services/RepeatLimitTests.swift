import StoreModel
import StoreWire
import Testing

@testable import PurchaseBackend

/// What a user can leave behind by sending good receipts again and again.
struct RepeatLimitTests {
    @Test func `repeating granted receipts blocks a user for a while`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        #expect(try rig.submit(token).outcome.status == .granted)
        for _ in 0..<BackendLimits.repeatsPerUserMax {
            #expect(try rig.submit(token).outcome.status == .alreadyGranted)
            rig.clock.advance(milliseconds: 1_000)
        }
        let calls = rig.store.requests.count
        let rows = try rig.count("SELECT count(*) FROM submissions")
        let refused = try rig.submit(token)
        #expect(refused.status == 429)
        #expect(try refused.errorCode == "tooManyRepeated")
        #expect(rig.store.requests.count == calls, "the store is not asked")
        #expect(try rig.count("SELECT count(*) FROM submissions") == rows, "nothing is stored")
        let others = try rig.submit(rig.signUp("emil"))
        #expect(others.status != 429, "others are not concerned")
        // The first repetition is an hour old.
        rig.clock.advance(
            milliseconds: BackendLimits.repeatWindowMilliseconds
                - Int64(BackendLimits.repeatsPerUserMax) * 1_000)
        #expect(try rig.submit(token).outcome.status == .alreadyGranted)
        rig.clock.advance(milliseconds: -30 * 86_400_000)
        #expect(try rig.submit(token).status == 200, "a clock that was put back stops nobody")
    }
}
