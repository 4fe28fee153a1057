import Glibc

/// How a store divides the files that its process may have open.
///
/// Without a share for each, a crowd of connections or of test sessions takes every one, and then
/// no purchase finds its database.
package struct FileBudget: Hashable, Sendable {
    /// For the default world, libraries, the log and calls to a payment provider.
    private static let ownMax = 64
    /// A connection and a file of content on its way to it.
    private static let perConnection = 2
    /// A session's writer and readers, each with the log, their shared memory, and the file's pin.
    private static let perSession = 8
    /// Fewer than this leave nothing to divide.
    package static let limitMin = 256

    /// The most connections at once.
    package let connections: Int
    /// The most test sessions whose files are open at once, also while all are in use.
    package let sessions: Int

    /// `limit` is the number of files that the process may have open; half of what the store does
    /// not need for itself goes to connections, until they have enough.
    package init(limit: Int) {
        let rest = max(0, limit - Self.ownMax)
        connections = min(Limits.connectionsMax, rest / 2 / Self.perConnection)
        sessions = (rest - connections * Self.perConnection) / Self.perSession
    }

    /// The share of the connections that a port for TLS gets. The other port loses as many:
    /// filling one of them takes nothing from the other.
    package var tlsConnections: Int { connections / 4 }

    /// Whether nothing needs to be less than its usual limit.
    package var isFull: Bool {
        connections >= Limits.connectionsMax && sessions >= Limits.sessionsOpenMax
    }

    /// The number of files that lets everything have its usual limit.
    package static let limitFull =
        ownMax + Limits.connectionsMax * perConnection + Limits.sessionsOpenMax * perSession

    /// The number of files that this process may have open: the most that it may set, or the number
    /// in force.
    package static func limit(settable: Bool = false) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return limitMin
        }
        return Int(clamping: settable ? limit.rlim_max : limit.rlim_cur)
    }
}
