import Synchronization

/// Idle handles with their open connections, the most recently used first.
final class HandlePool: Sendable {
    /// More idle handles than this are closed.
    static let idleMax = 16

    private let idle = Mutex<[CurlHandle]>([])

    func take() throws(CallerError) -> CurlHandle {
        if let handle = idle.withLock({ $0.popLast() }) { return handle }
        guard let handle = CurlHandle() else { throw CallerError.notStarted }
        return handle
    }

    func giveBack(_ handle: CurlHandle) {
        idle.withLock { idle in
            if idle.count < Self.idleMax { idle.append(handle) }
        }
    }
}
