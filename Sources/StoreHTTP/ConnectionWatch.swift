import Dispatch
import Foundation
import Synchronization

/// Closes connections whose clients are too slow, so that others can connect.
///
/// libmicrohttpd's own time-out restarts with each byte: a client that occasionally sends or reads
/// one keeps its connection for ever. It also misses the end of some (see `isAbandoned`).
final class ConnectionWatch: Sendable {
    /// The maximum delay in noticing the end of a connection.
    private static let tickMilliseconds = 100

    private struct State {
        var connections: [ObjectIdentifier: WatchedConnection] = [:]
        var isAsleep = false
        var isClosed = false
    }

    /// A connection that waits for its client.
    private struct Slow {
        let connection: WatchedConnection
        let phase: WatchedConnection.Phase
        let nanoseconds: UInt64
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let restingNanosecondsMax: UInt64
    private let arrivingNanosecondsMax: UInt64
    private let takingNanosecondsMax: UInt64
    private let pressedNanosecondsMax: UInt64
    /// Beyond this number, the slowest connections are closed.
    private let roomyConnectionsMax: Int

    init(_ configuration: ListenerConfiguration, connectionsMax: Int) {
        restingNanosecondsMax = UInt64(clamping: configuration.idleSecondsMax) * 1_000_000_000
        arrivingNanosecondsMax = UInt64(clamping: configuration.arrivalSecondsMax) * 1_000_000_000
        takingNanosecondsMax = UInt64(clamping: configuration.takingSecondsMax) * 1_000_000_000
        pressedNanosecondsMax = UInt64(clamping: configuration.pressedMillisecondsMax) * 1_000_000
        roomyConnectionsMax = connectionsMax - connectionsMax / 4
        let thread = Thread { [self] in run() }
        thread.name = "http-watch"
        thread.start()
    }

    func add(_ connection: WatchedConnection) {
        let mustWake = state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { wake.signal() }
    }

    func remove(_ connection: WatchedConnection) {
        connection.forget()
        state.withLock { state in
            _ = state.connections.removeValue(forKey: ObjectIdentifier(connection))
        }
    }

    /// Ends its thread.
    func close() {
        state.withLock { $0.isClosed = true }
        wake.signal()
    }

    private func run() {
        while true {
            let (isClosed, connections) = state.withLock { state in
                state.isAsleep = state.connections.isEmpty
                return (state.isClosed, Array(state.connections.values))
            }
            if isClosed { return }
            if connections.isEmpty {
                wake.wait()
            } else {
                look(at: connections)
            }
            _ = wake.wait(timeout: .now() + .milliseconds(Self.tickMilliseconds))
        }
    }

    private func look(at connections: [WatchedConnection]) {
        let now = nowNanoseconds()
        var pressed: [Slow] = []
        for connection in connections {
            let (phase, nanoseconds) = connection.look(now: now)
            guard let limit = limit(of: phase) else { continue }
            if nanoseconds > limit || connection.isAbandoned() {
                connection.cut(ifStill: phase)
            } else if nanoseconds > patience(with: connection) {
                pressed.append(
                    Slow(connection: connection, phase: phase, nanoseconds: nanoseconds))
            }
        }
        let excess = connections.count - roomyConnectionsMax
        guard excess > 0 else { return }
        pressed.sort { $0.nanoseconds > $1.nanoseconds }
        for slow in pressed.prefix(excess) { slow.connection.cut(ifStill: slow.phase) }
    }

    /// A client that has something to ask does so when it has connected.
    private func patience(with connection: WatchedConnection) -> UInt64 {
        connection.isUsed ? pressedNanosecondsMax : pressedNanosecondsMax / 8
    }

    private func limit(of phase: WatchedConnection.Phase) -> UInt64? {
        switch phase {
        case .resting: restingNanosecondsMax
        case .arriving: arrivingNanosecondsMax
        case .working: nil
        case .taking: takingNanosecondsMax
        }
    }
}
