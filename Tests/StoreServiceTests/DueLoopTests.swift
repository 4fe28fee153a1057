import Dispatch
import Glibc
import StoreService
import Synchronization
import Testing

/// The turns of a worker: none is lost, doubled, too early, or after the end.
struct DueLoopTests {
    private let bell = Bell()
    private let turns = Turns()

    private func loop(_ turn: @escaping DueLoop.Turn) -> DueLoop {
        let loop = DueLoop(
            "test", restMillisecondsMax: 1_000, failureMilliseconds: 20...100, timer: bell.set)
        loop.start(turn)
        return loop
    }

    /// A loop whose turns end as they are told, in the end with a rest until it is woken.
    private func loop(ending script: [DueLoop.Next]) -> DueLoop {
        loop { [turns] in
            let number = turns.count()
            return number <= script.count ? script[number - 1] : .untilWoken
        }
    }

    /// Wakes it, and waits until nothing more is to be done.
    private func settle(_ loop: DueLoop) {
        let end = Signal()
        loop.afterTurn(end.give)
        end.wait()
    }

    @Test func `a rest is as long as the turn asks for, within bounds`() {
        let loop = loop(ending: [
            .rest(milliseconds: 5), .rest(milliseconds: 5_000), .rest(milliseconds: -5),
            .rest(milliseconds: .min), .untilWoken,
        ])
        for _ in 1...5 { settle(loop) }
        #expect(bell.rests == [5, 1_000, 1, 1])
        #expect(turns.number == 5)
    }

    @Test func `a turn follows when the rest is over, or at once when there is more to do`() {
        let loop = loop(ending: [.rest(milliseconds: 5), .turn, .turn, .rest(milliseconds: 6)])
        settle(loop)
        #expect(turns.number == 1)
        bell.waitForRest()
        bell.ring(0)
        bell.waitForRest()
        #expect(turns.number == 4)
        #expect(bell.rests == [5, 6])
    }

    @Test func `the rests of failures in a row double to a limit, and begin anew`() {
        let loop = loop(
            ending: Array(repeating: .failed, count: 40) + [.untilWoken, .failed, .failed])
        for _ in 1...43 { settle(loop) }
        #expect(bell.rests.prefix(4) == [20, 40, 80, 100])
        #expect(bell.rests.dropFirst(4).dropLast(2).allSatisfy { $0 == 100 })
        #expect(bell.rests.suffix(2) == [20, 40])
    }

    @Test func `wakes during a turn are followed by one turn more`() {
        let (begun, gate) = (Signal(), Signal())
        let loop = loop { [turns] in
            if turns.count() == 1 {
                begun.give()
                gate.wait()
            }
            return .rest(milliseconds: 5)
        }
        loop.wake()
        begun.wait()
        for _ in 1...3 { loop.wake() }
        gate.give()
        bell.waitForRest()
        #expect(turns.number == 2)
    }

    @Test func `a timer of before the last wake rings for nobody`() {
        let (begun, gate) = (Signal(), Signal())
        let loop = loop { [turns] in
            if turns.count() == 2 {
                begun.give()
                gate.wait()
            }
            return .rest(milliseconds: 5)
        }
        loop.wake()
        bell.waitForRest()
        loop.wake()
        begun.wait()
        bell.ring(0)
        gate.give()
        bell.waitForRest()
        #expect(turns.number == 2)
        bell.ring(1)
        bell.waitForRest()
        #expect(turns.number == 3)
    }

    @Test func `whoever comes during a turn waits for the next to end`() {
        let (begun, gate, end) = (Signal(), Signal(), Signal())
        let loop = loop { [turns] in
            let number = turns.count()
            if number == 1 {
                begun.give()
                gate.wait()
            }
            return number == 2 ? .turn : .untilWoken
        }
        loop.wake()
        begun.wait()
        loop.afterTurn { [turns] in
            turns.note()
            end.give()
        }
        gate.give()
        end.wait()
        #expect(turns.noted == 3, "the first began before, the second left something to do")
    }

    @Test func `a stop waits for the turn under way, which is the last`() {
        let (begun, gate, stopped, served) = (Signal(), Signal(), Signal(), Signal())
        let loop = loop { [turns] in
            if turns.count() == 2 {
                begun.give()
                gate.wait()
                turns.note()
            }
            return .rest(milliseconds: 5)
        }
        settle(loop)
        loop.wake()
        begun.wait()
        loop.afterTurn(served.give)
        DispatchQueue(label: "stopping").async { [turns] in
            loop.stop()
            #expect(turns.noted == 2, "the turn has ended")
            stopped.give()
        }
        while !loop.isStopped { sched_yield() }
        gate.give()
        stopped.wait()
        served.wait()
        bell.ring(0)
        loop.wake()
        settle(loop)
        loop.stop()
        #expect(turns.number == 2)
    }

    @Test func `a loop that is stopped lets go of its worker`() {
        var worker: Turns? = Turns()
        weak let kept = worker
        let loop = loop { [worker] in
            _ = worker?.count()
            return .rest(milliseconds: 5)
        }
        worker = nil
        settle(loop)
        #expect(kept?.number == 1)
        loop.stop()
        #expect(kept == nil)
    }

    @Test func `no wake of many at once is lost, and no two turns overlap`() {
        let (asked, underWay, overlaps, all) = (Turns(), Turns(), Turns(), Signal())
        let wakes = 20_000
        let loop = loop {
            if underWay.count() > 1 { overlaps.note(1) }
            if asked.number == wakes { all.give() }
            underWay.reset()
            return .untilWoken
        }
        DispatchQueue.concurrentPerform(iterations: wakes) { _ in
            _ = asked.count()
            loop.wake()
        }
        all.wait()
        loop.stop()
        #expect(overlaps.noted == 0)
    }
}

private final class Turns: Sendable {
    private let state = Mutex((number: 0, noted: 0))

    func count() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    /// Notes how many there are now, or something else.
    func note(_ number: Int? = nil) { state.withLock { $0.noted = number ?? $0.number } }

    func reset() { state.withLock { $0.number = 0 } }

    var number: Int { state.withLock { $0.number } }
    var noted: Int { state.withLock { $0.noted } }
}

/// Something that a test waits for.
private final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    @Sendable func give() { semaphore.signal() }

    func wait() { #expect(semaphore.wait(timeout: .now() + 120) == .success) }
}

/// A timer that rings when the test has it ring.
private final class Bell: Sendable {
    private let timers = Mutex<[(milliseconds: Int64, ring: @Sendable () -> Void)]>([])
    private let isSet = Signal()

    @Sendable func set(_ milliseconds: Int64, _ ring: @escaping @Sendable () -> Void) {
        timers.withLock { $0.append((milliseconds, ring)) }
        isSet.give()
    }

    /// Waits for the next timer that nobody waited for yet.
    func waitForRest() { isSet.wait() }

    func ring(_ number: Int) { timers.withLock { $0[number].ring }() }

    var rests: [Int64] { timers.withLock { $0.map(\.milliseconds) } }
}
