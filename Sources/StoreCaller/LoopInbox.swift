import Synchronization

/// One call of a loop.
struct LoopCall: Sendable {
    let request: CallerRequest
    /// Where it goes, for the limit of calls to one host.
    let host: String
    let then: CallerLoop.Completion
    let cancellation: CallCancellation?

    init(
        _ request: CallerRequest, cancellation: CallCancellation?,
        then: @escaping CallerLoop.Completion
    ) {
        self.request = request
        self.cancellation = cancellation
        self.then = then
        host = request.origin
    }

    var isCancelled: Bool { cancellation?.isCancelled == true }

    func cancel() { then(.failure(CallerError(cancelled: request))) }
}

/// Where other threads leave calls for the thread of a loop.
final class LoopInbox: Sendable {
    private struct State {
        var calls: [LoopCall] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let poller: SocketPoller

    init(_ poller: SocketPoller) {
        self.poller = poller
    }

    /// Has the thread look whether calls were cancelled.
    func wake() { poller.wake() }

    /// Returns false when the inbox is closed.
    func add(_ call: LoopCall) -> Bool {
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.calls.append(call)
            return (true, state.calls.count == 1)
        }
        // The thread takes all calls at once, so the first of them wakes it for all.
        if isFirst { poller.wake() }
        return isTaken
    }

    /// The calls left since the last time, in order; nil when the inbox is closed.
    func take() -> [LoopCall]? {
        state.withLock { state in
            if state.isClosed { return nil }
            defer { state.calls = [] }
            return state.calls
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        poller.wake()
    }

    /// What was left and not taken before the inbox was closed.
    func takeRest() -> [LoopCall] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }
}
