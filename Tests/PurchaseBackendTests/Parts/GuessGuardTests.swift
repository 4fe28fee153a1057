import StoreModel
import Testing

@testable import PurchaseBackend

struct GuessGuardTests {
    private let start = Timestamp(seconds: 1_000)
    private let guesses = GuessGuard()

    private func fail(_ name: String, _ count: Int, at now: Timestamp) {
        for _ in 0..<count {
            #expect(guesses.admit(name, now: now) == .admitted)
            guesses.ended(name, isRight: false, now: now)
        }
    }

    @Test func `wrong passwords lock only their own name`() {
        fail("dora", BackendLimits.guessesMax, at: start)
        #expect(guesses.admit("dora", now: start) == .locked(seconds: 900))
        #expect(guesses.admit("emil", now: start) == .admitted)
    }

    @Test func `a name's lock ends after its time`() {
        fail("dora", BackendLimits.guessesMax, at: start)
        let almost = start.adding(milliseconds: BackendLimits.lockOutMilliseconds - 1)
        #expect(guesses.admit("dora", now: almost) == .locked(seconds: 1))
        #expect(guesses.admit("dora", now: almost.adding(milliseconds: 1)) == .admitted)
    }

    @Test func `a name's lock does not outlive a clock that was put back`() {
        fail("dora", BackendLimits.guessesMax, at: start.adding(milliseconds: 3_600_000))
        #expect(guesses.admit("dora", now: start) == .admitted)
        guesses.ended("dora", isRight: nil, now: start)
        fail("dora", BackendLimits.guessesMax, at: start)
        #expect(guesses.admit("dora", now: start) == .locked(seconds: 900))
    }

    @Test func `a right password resets the count of wrong ones`() {
        fail("dora", BackendLimits.guessesMax - 1, at: start)
        #expect(guesses.admit("dora", now: start) == .admitted)
        guesses.ended("dora", isRight: true, now: start)
        fail("dora", BackendLimits.guessesMax - 1, at: start)
        #expect(guesses.admit("dora", now: start) == .admitted)
    }

    @Test func `concurrent tries count before they are checked`() {
        for _ in 0..<BackendLimits.guessesMax {
            #expect(guesses.admit("dora", now: start) == .admitted)
        }
        #expect(guesses.admit("dora", now: start) == .locked(seconds: 1))
        guesses.ended("dora", isRight: nil, now: start)
        #expect(guesses.admit("dora", now: start) == .admitted)
    }

    @Test func `the number of names remembered is limited and the oldest is forgotten first`() {
        fail("dora", BackendLimits.guessesMax, at: start)
        for number in 0..<3 * BackendLimits.guessedNamesMax {
            let name = "n\(number)"
            _ = guesses.admit(name, now: start)
            guesses.ended(name, isRight: false, now: start)
        }
        #expect(guesses.admit("dora", now: start) == .admitted)
        #expect(guesses.count <= 2 * BackendLimits.guessedNamesMax)
    }
}
