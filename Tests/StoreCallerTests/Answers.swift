import Dispatch
import StoreCaller
import Synchronization

/// The answers to the calls of a test, as they come.
final class Answers: Sendable {
    typealias Answer = Result<CallerResponse, CallerError>

    private let stored = Mutex<[(name: String, answer: Answer)]>([])
    private let arrived = DispatchSemaphore(value: 0)

    /// What takes the answer to one call.
    func note(_ name: String = "") -> CallerLoop.Completion {
        { [self] answer in
            stored.withLock { $0.append((name, answer)) }
            arrived.signal()
        }
    }

    /// Waits for so many further answers; says whether they came in time, which is generous.
    func wait(for count: Int) -> Bool {
        (0..<count).allSatisfy { _ in arrived.wait(timeout: .now() + 120) == .success }
    }

    var named: [(name: String, answer: Answer)] { stored.withLock { $0 } }
    var all: [Answer] { named.map(\.answer) }
}

/// Requests that a server holds until a test lets them go, and how many there were at once.
final class Crowd: Sendable {
    private let counts = Mutex((now: 0, max: 0))
    private let gate = DispatchSemaphore(value: 0)

    func pass() {
        enter()
        gate.wait()
        leave()
    }

    func enter() {
        counts.withLock { counts in
            counts.now += 1
            counts.max = Swift.max(counts.max, counts.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }

    func open(for count: Int) {
        for _ in 0..<count { gate.signal() }
    }

    var now: Int { counts.withLock { $0.now } }
    var max: Int { counts.withLock { $0.max } }
}
