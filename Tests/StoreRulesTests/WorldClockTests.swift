import StoreModel
import StoreRules
import Testing

struct WorldClockTests {
    private let real = Timestamp(seconds: 1_700_000_000)
    private let recorded = Timestamp(seconds: 1_699_999_000)

    @Test func `a running clock follows real time and never falls behind the recorded time`() {
        let clock = WorldClock.real(offsetMilliseconds: -5_000_000)
        #expect(clock.now(real: real, recorded: recorded) == recorded)
        #expect(
            clock.now(real: real.adding(milliseconds: 9_000_000), recorded: recorded)
                == real.adding(milliseconds: 4_000_000))
    }

    @Test func `a held clock stands still`() throws {
        let time = Timestamp(seconds: 1_800_000_000)
        let clock = try WorldClock.held(at: time, recorded: recorded)
        #expect(clock.now(real: real, recorded: recorded) == time)
        #expect(clock.now(real: real.adding(milliseconds: 99), recorded: recorded) == time)
        let later = try clock.target(ofAdvancing: 1_500, real: real, recorded: recorded)
        #expect(later == time.adding(milliseconds: 1_500))
        #expect(clock.moved(to: later, real: real, recorded: recorded) == .held(at: later))
    }

    @Test func `an advanced running clock keeps running`() throws {
        let clock = WorldClock.real(offsetMilliseconds: 10)
        let target = try clock.target(ofAdvancing: 86_400_000, real: real, recorded: recorded)
        #expect(
            clock.moved(to: target, real: real, recorded: recorded)
                == .real(offsetMilliseconds: 86_400_010))
    }

    @Test
    func `an advance counts from the shown time even if the real clock stepped back`()
        throws
    {
        let later = real.adding(milliseconds: 5_000)
        let target = try WorldClock.real(offsetMilliseconds: 0).target(
            ofAdvancing: 1_000, real: real, recorded: later)
        #expect(target == later.adding(milliseconds: 1_000))
    }

    @Test func `a clock does not go back behind the recorded time`() {
        let early = Timestamp(seconds: 1_699_998_999)
        #expect(throws: WorldClock.Refusal.wouldGoBack(recorded: recorded)) {
            try WorldClock.held(at: early, recorded: recorded)
        }
        #expect(throws: WorldClock.Refusal.wouldGoBack(recorded: recorded)) {
            try WorldClock.running(from: early, real: real, recorded: recorded)
        }
        let future = real.adding(milliseconds: 1)
        #expect(throws: WorldClock.Refusal.wouldGoBack(recorded: future)) {
            try WorldClock.running(from: nil, real: real, recorded: future)
        }
        #expect(throws: WorldClock.Refusal.wouldGoBack(recorded: recorded)) {
            try WorldClock.held(at: real).target(
                ofAdvancing: -1, real: real, recorded: recorded)
        }
    }

    @Test func `the earliest clock time is 2000, when certificates begin`() throws {
        let first = Timestamp(seconds: 946_684_800)
        #expect(
            try WorldClock.held(at: first, recorded: Timestamp.range.lowerBound) == .held(at: first)
        )
        for early in [first.adding(milliseconds: -1), Timestamp(milliseconds: 0)] {
            #expect(throws: WorldClock.Refusal.outOfRange) {
                try WorldClock.held(at: early, recorded: Timestamp.range.lowerBound)
            }
            #expect(throws: WorldClock.Refusal.outOfRange) {
                try WorldClock.running(
                    from: early, real: real, recorded: Timestamp.range.lowerBound)
            }
        }
    }

    @Test(arguments: [Int64.max, 4_102_444_800_000])
    func `the latest clock time is in 2099`(milliseconds: Int64) {
        #expect(throws: WorldClock.Refusal.outOfRange) {
            try WorldClock.held(at: real).target(
                ofAdvancing: milliseconds, real: real, recorded: recorded)
        }
        #expect(throws: WorldClock.Refusal.outOfRange) {
            try WorldClock.held(at: Timestamp(milliseconds: milliseconds), recorded: recorded)
        }
    }
}
