import Dispatch
import StoreHTTP
import Synchronization

/// Answers requests whose work takes too long, while the work goes on.
///
/// The pools they wait for bound how many can wait.
final class AnswerDeadlines: Sendable {
    struct Ticket: Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let end: DispatchTime
        let answer: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var nextNumber: UInt64 = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "backend.deadlines")
    private let interval: DispatchTimeInterval
    private let delay: DispatchTimeInterval

    init(milliseconds: Int) {
        delay = .milliseconds(milliseconds)
        interval = .milliseconds(min(250, max(milliseconds / 4, 10)))
        scheduleTick()
    }

    /// Looks for late answers periodically, until this object is released.
    private func scheduleTick() {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.answerLate()
            self?.scheduleTick()
        }
    }

    /// Sends `answer` at the deadline unless the ticket is returned before.
    func watch(_ responder: Responder, answer: HTTPResponse) -> Ticket {
        watch { responder.send(answer) }
    }

    /// Calls `answer` at the deadline unless the ticket is returned before; it must not block.
    func watch(_ answer: @escaping @Sendable () -> Void) -> Ticket {
        state.withLock { state in
            state.nextNumber += 1
            state.entries[state.nextNumber] = Entry(end: .now() + delay, answer: answer)
            return Ticket(number: state.nextNumber)
        }
    }

    /// Whether the deadline is still ahead.
    func isRunning(_ ticket: Ticket) -> Bool {
        state.withLock { $0.entries[ticket.number] != nil }
    }

    /// Returns a ticket.
    func end(_ ticket: Ticket) {
        state.withLock { _ = $0.entries.removeValue(forKey: ticket.number) }
    }

    private func answerLate() {
        let now = DispatchTime.now()
        let late = state.withLock { state in
            let late = state.entries.filter { $0.value.end <= now }
            for number in late.keys { state.entries[number] = nil }
            return late.values.map(\.answer)
        }
        for answer in late { answer() }
    }
}
