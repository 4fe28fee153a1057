import StoreModel
import StoreRules
import Testing

struct SignInRulesTests {
    private let now = Timestamp(seconds: 1_000_000)

    @Test(arguments: [
        (0, Int64?.none), (3, nil), (4, 60), (5, 120), (6, 240), (9, 1_920), (10, 3_600),
        (1_000, 3_600),
    ])
    func `the fifth wrong password locks the account, then twice as long each time`(
        failuresBefore: Int, lockedSeconds: Int64?
    ) {
        let record = SignInRules.afterFailure(
            SignInRecord(failures: failuresBefore, lockedUntil: nil), now: now)
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

    @Test func `a lock ends by itself to the millisecond`() {
        let record = SignInRecord(failures: 5, lockedUntil: now.adding(milliseconds: 1_001))
        #expect(SignInRules.secondsLocked(record, now: now) == 2)
        #expect(SignInRules.secondsLocked(record, now: now.adding(milliseconds: 1_000)) == 1)
        #expect(SignInRules.secondsLocked(record, now: now.adding(milliseconds: 1_001)) == nil)
    }
}
