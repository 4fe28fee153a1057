import Dispatch
import Synchronization

/// Lets one job of a key run at a time: the next waits on its thread, in order of arrival.
final class OneAtATime<Key: Hashable & Sendable>: Sendable {
    /// The jobs that wait for the one that runs, by its key.
    private let waiting = Mutex<[Key: [DispatchSemaphore]]>([:])

    func run(_ key: Key, _ job: () throws -> Void) rethrows {
        enter(key)
        defer { leave(key) }
        try job()
    }

    /// The number of jobs that wait for the one that runs.
    func waitingCount(_ key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }

    private func enter(_ key: Key) {
        let turn: DispatchSemaphore? = waiting.withLock { waiting in
            guard waiting[key] != nil else {
                waiting[key] = []
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            waiting[key]?.append(turn)
            return turn
        }
        turn?.wait()
    }

    /// Hands the key to the next job, so that none gets in between.
    private func leave(_ key: Key) {
        waiting.withLock { waiting in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return
            }
            waiting[key]?.removeFirst().signal()
        }
    }
}
