import Dispatch
import Foundation
import Synchronization

/// The thread of a loop, from its start to its end.
final class LoopThread: Sendable {
    private let inbox: LoopInbox
    private let end = DispatchGroup()
    /// Zero once the thread has ended, when another may get its identity.
    private let identity = Atomic<pthread_t>(0)

    init?(callsMax: Int, callsPerHostMax: Int) {
        guard let poller = SocketPoller() else { return nil }
        inbox = LoopInbox(poller)
        guard
            let driver = LoopDriver(
                inbox: inbox, poller: poller, callsMax: callsMax, callsPerHostMax: callsPerHostMax)
        else { return nil }
        end.enter()
        let thread = Thread { [self] in
            identity.store(pthread_self(), ordering: .relaxed)
            withoutPipeSignal { driver.run() }
            identity.store(0, ordering: .relaxed)
            end.leave()
        }
        thread.name = "caller-loop"
        thread.start()
    }

    /// Returns false when the thread has been told to stop.
    func add(_ call: LoopCall) -> Bool { inbox.add(call) }

    /// Tells the thread to cancel all calls and end.
    func stop() { inbox.close() }

    func waitForEnd() {
        precondition(
            identity.load(ordering: .relaxed) != pthread_self(),
            "A loop of calls was closed on its own thread, which would wait for itself.")
        end.wait()
    }
}
