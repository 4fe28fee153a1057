import Dispatch
import Glibc
import StoreService
import Synchronization
import Testing

@testable import AppStoreServer

/// Where passwords are looked at.
@Suite struct PasswordWorkersTests {
    /// What happened, in order, from any thread.
    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) {
            texts.withLock { $0.append(text) }
            done.signal()
        }
    }

    @Test func `sign-ins of one account are checked in the order they came`() throws {
        let workers = PasswordWorkers()
        let notes = Notes()
        for number in 0..<20 {
            for account in ["a", "b", "c"] {
                try workers.start(for: account) { notes.add("\(account)\(number)") }
            }
        }
        for _ in 0..<60 { notes.done.wait() }
        for account in ["a", "b", "c"] {
            #expect(
                notes.all.filter { $0.hasPrefix(account) } == (0..<20).map { "\(account)\($0)" })
        }
    }

    @Test func `the password workers run at lower priority than the serving threads`() throws {
        let workers = PasswordWorkers()
        let notes = Notes()
        try workers.start(for: "a") {
            notes.add("\(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))")
        }
        notes.done.wait()
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        #expect(notes.all == ["\(max(own, PasswordWorkers.niceness))"])
    }

    @Test func `an accepted sign-in is checked even when nobody holds the workers`() throws {
        let notes = Notes()
        let gate = DispatchSemaphore(value: 0)
        do {
            let workers = PasswordWorkers()
            for number in 0..<Limits.signInsWaitingMax {
                try workers.start(for: "\(number % 3)") {
                    gate.wait()
                    notes.add("\(number)")
                }
            }
            #expect(throws: Refusal.self) { try workers.start(for: "x") {} }
        }
        for _ in 0..<Limits.signInsWaitingMax { gate.signal() }
        for _ in 0..<Limits.signInsWaitingMax { notes.done.wait() }
        #expect(Set(notes.all).count == Limits.signInsWaitingMax)
    }
}
