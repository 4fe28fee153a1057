import Dispatch
import Glibc
import StoreModel
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

    private func start(
        _ account: String, on workers: PasswordWorkers,
        by caller: PasswordWorkers.Caller? = nil, _ body: @escaping @Sendable () -> Void
    ) {
        workers.start(
            for: account, by: caller ?? .known(account: account),
            refuse: { _ in Issue.record("\(account) was refused") }, body)
    }

    @Test func `sign-ins of one account are checked in the order they came`() throws {
        let workers = PasswordWorkers()
        let notes = Notes()
        for number in 0..<20 {
            for account in ["a", "b", "c"] {
                start(account, on: workers) { notes.add("\(account)\(number)") }
            }
        }
        for _ in 0..<60 { notes.done.wait() }
        for account in ["a", "b", "c"] {
            #expect(
                notes.all.filter { $0.hasPrefix(account) } == (0..<20).map { "\(account)\($0)" })
        }
    }

    @Test func `guesses of one device are checked one after the other, whatever the names`() {
        let workers = PasswordWorkers()
        let notes = Notes()
        let inside = Mutex(0)
        for number in 0..<20 {
            start("\(number)", on: workers, by: .stranger(world: "w", DeviceID(1))) {
                let together = inside.withLock { inside in
                    inside += 1
                    return inside
                }
                inside.withLock { $0 -= 1 }
                notes.add("\(number) \(together)")
            }
        }
        for _ in 0..<20 { notes.done.wait() }
        #expect(notes.all == (0..<20).map { "\($0) 1" })
    }

    @Test func `the password workers run at lower priority than the serving threads`() throws {
        let workers = PasswordWorkers()
        let notes = Notes()
        start("a", on: workers) {
            notes.add("\(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))")
        }
        notes.done.wait()
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        #expect(notes.all == ["\(max(own, PasswordWorkers.niceness))"])
    }

    @Test func `an accepted sign-in is checked even when nobody holds the workers`() throws {
        let notes = Notes()
        let gate = DispatchSemaphore(value: 0)
        let count = 60
        do {
            let workers = PasswordWorkers()
            for number in 0..<count {
                start("\(number % 3)", on: workers) {
                    gate.wait()
                    notes.add("\(number)")
                }
            }
        }
        for _ in 0..<count { gate.signal() }
        for _ in 0..<count { notes.done.wait() }
        #expect(Set(notes.all).count == count)
    }
}
