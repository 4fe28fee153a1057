import Synchronization

/// Makes many calls at once on one thread of its own, keeping connections.
///
/// It treats requests as `Caller` does and trusts the system's certificate authorities. The thread
/// starts with the first call and ends with `close()`, or when the loop is released.
package final class CallerLoop: Sendable {
    /// Gets the answer to a call, whatever its status, or why there is none.
    package typealias Completion = @Sendable (Result<CallerResponse, CallerError>) -> Void

    private enum Life {
        case new
        case running(LoopThread)
        case closed(LoopThread?)
    }

    private let life = Mutex(Life.new)
    private let callsMax: Int
    private let connectionsPerHostMax: Int

    /// At most `callsMax` calls run at once, at most `connectionsPerHostMax` of them to the same
    /// scheme, host and port, and no more of these than places are left for others. It keeps at most
    /// `callsMax` connections open for requests that refuse private addresses, and as many for others.
    package init(callsMax: Int, connectionsPerHostMax: Int) {
        precondition(
            callsMax > 0 && connectionsPerHostMax > 0, "A loop of calls has no room for one.")
        self.callsMax = callsMax
        self.connectionsPerHostMax = connectionsPerHostMax
    }

    deinit {
        life.withLock { life in
            if case .running(let thread) = life { thread.stop() }
        }
    }

    /// Makes a call and returns at once. Calls beyond the limits wait, those of a host in order and
    /// the hosts in turns; their time-outs begin after that. How many wait is up to those who send.
    ///
    /// `then` is called exactly once, on the loop's thread, which makes no progress meanwhile: it
    /// must not block and must not close the loop, but it may send. Once the loop is closed, or if
    /// its thread cannot be started, `then` is called before this returns.
    package func send(
        _ request: CallerRequest, cancellation: CallCancellation? = nil,
        then: @escaping Completion
    ) {
        let call = LoopCall(request, cancellation: cancellation, then: then)
        do throws(CallerError) {
            guard let thread = try runningThread(), thread.add(call) else { return call.cancel() }
        } catch {
            then(.failure(error))
        }
    }

    /// Cancels all calls and returns when each has been told and the thread has ended. May be
    /// called repeatedly, but not on the loop's thread.
    package func close() {
        let thread = life.withLock { life in
            switch life {
            case .new:
                life = .closed(nil)
                return LoopThread?.none
            case .running(let thread):
                life = .closed(thread)
                return thread
            case .closed(let thread): return thread
            }
        }
        thread?.stop()
        thread?.waitForEnd()
    }

    /// The thread, started if need be; nil once the loop is closed.
    private func runningThread() throws(CallerError) -> LoopThread? {
        try life.withLock { life throws(CallerError) in
            switch life {
            case .new:
                guard
                    let thread = LoopThread(
                        callsMax: callsMax, callsPerHostMax: connectionsPerHostMax)
                else { throw CallerError.notStarted }
                life = .running(thread)
                return thread
            case .running(let thread): return thread
            case .closed: return nil
            }
        }
    }
}
