import Dispatch
import Foundation
import Synchronization

/// The requests whose connections are suspended, and the one thread that ends their waits.
///
/// libmicrohttpd aborts the process when it is stopped with a suspended connection, so a request is
/// in here from before its connection is suspended until after it is resumed.
final class WaitingRoom: Sendable {
    /// The maximum delay in noticing the end of a wait.
    private static let tickMilliseconds = 25

    private struct Guest {
        let responder: Responder
        let lastNanoseconds: UInt64
    }

    private struct State {
        var guests: [UInt64: Guest] = [:]
        var isTimerAsleep = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let waitNanosecondsMax: UInt64

    init(waitMillisecondsMax: Int) {
        waitNanosecondsMax = UInt64(max(1, waitMillisecondsMax)) * 1_000_000
        let timer = Thread { [self] in runTimer() }
        timer.name = "http-deadlines"
        timer.start()
    }

    func enter(_ number: UInt64, _ responder: Responder) {
        let guest = Guest(
            responder: responder, lastNanoseconds: nowNanoseconds() + waitNanosecondsMax)
        let mustWake = state.withLock { state in
            state.guests[number] = guest
            defer { state.isTimerAsleep = false }
            return state.isTimerAsleep
        }
        if mustWake { wake.signal() }
    }

    func leave(_ number: UInt64) {
        state.withLock { state in _ = state.guests.removeValue(forKey: number) }
    }

    var isEmpty: Bool { state.withLock { $0.guests.isEmpty } }

    /// Ends every wait.
    func expireAll() {
        for guest in guests() { guest.responder.expire() }
    }

    /// Ends the timer's thread.
    func close() {
        state.withLock { $0.isClosed = true }
        wake.signal()
    }

    private func guests() -> [Guest] { state.withLock { Array($0.guests.values) } }

    private func runTimer() {
        while true {
            let (isClosed, isEmpty) = state.withLock { state in
                state.isTimerAsleep = state.guests.isEmpty
                return (state.isClosed, state.guests.isEmpty)
            }
            if isClosed { return }
            if isEmpty {
                wake.wait()
            } else {
                expireDue()
            }
            _ = wake.wait(timeout: .now() + .milliseconds(Self.tickMilliseconds))
        }
    }

    private func expireDue() {
        let now = nowNanoseconds()
        for guest in guests() where guest.lastNanoseconds <= now { guest.responder.expire() }
    }
}
