import StoreModel
import StoreRules
import Testing

struct SignInRulesTests {
    private let now = Timestamp(seconds: 1_000_000)

    @Test(arguments: [
        (0, Int64?.none), (3, nil), (4, 60), (5, 120), (6, 240), (9, 1_920), (10, 3_600),
        (1_000, 3_600),
    ])
    func `the fifth wrong password locks, then twice as long each time`(
        failuresBefore: Int, lockedSeconds: Int64?
    ) {
        let record = SignInRules.afterFailure(
            SignInRecord(failures: failuresBefore, lockedUntil: nil), failuresMax: 5, now: now)
        #expect(record.failures == failuresBefore + 1)
        #expect(SignInRules.secondsLocked(record, now: now) == lockedSeconds)
    }

    @Test func `a lock set into the far future by a wrong clock does not hold`() {
        let lock = SignInRules.lockMillisecondsMax
        let longest = SignInRecord(failures: 9, lockedUntil: now.adding(milliseconds: lock))
        #expect(SignInRules.secondsLocked(longest, now: now) == lock / 1_000)
        let wrong = SignInRecord(failures: 9, lockedUntil: now.adding(milliseconds: lock + 1))
        #expect(SignInRules.secondsLocked(wrong, now: now) == nil)
    }

    @Test(arguments: [
        (Int64?.none, Int64?.none, false, Int64?.none), (9, nil, false, 9), (9, nil, true, 9),
        (nil, 9, false, 9), (nil, 9, true, nil), (7, 9, false, 9), (7, 9, true, 7),
        (9, 7, false, 9),
    ])
    func `a name that is locked to strangers is open on a known device`(
        device: Int64?, name: Int64?, isKnown: Bool, seconds: Int64?
    ) {
        func record(_ seconds: Int64?) -> SignInRecord {
            SignInRecord(
                failures: 5, lockedUntil: seconds.map { now.adding(milliseconds: $0 * 1_000) })
        }
        #expect(
            SignInRules.secondsLocked(
                device: record(device), name: record(name), isKnown: isKnown, now: now) == seconds)
    }

    @Test func `a lock ends by itself to the millisecond`() {
        let record = SignInRecord(failures: 5, lockedUntil: now.adding(milliseconds: 1_001))
        #expect(SignInRules.secondsLocked(record, now: now) == 2)
        #expect(SignInRules.secondsLocked(record, now: now.adding(milliseconds: 1_000)) == 1)
        #expect(SignInRules.secondsLocked(record, now: now.adding(milliseconds: 1_001)) == nil)
    }
}
