import Glibc
import Synchronization

/// Listens for HTTP/1.1 and calls a handler for every complete request.
///
/// The handler runs on one of the listener's few threads, so it must not wait: it answers at once,
/// or keeps the responder and lets another thread answer. Malformed and ambiguous requests, and
/// bodies above their limit, never reach it.
@safe
package final class HTTPListener: Sendable {
    package typealias Handler = @Sendable (HTTPRequest, Responder) -> Void

    /// The actual port, even when 0 was requested.
    package let port: Int
    /// Where it listens, such as `http://127.0.0.1:8080`.
    package let url: String
    /// The same for the port that speaks TLS; nil without one.
    package let tlsPort: Int?
    package let tlsURL: String?
    let core: ListenerCore
    private let daemons: [ListenerDaemon]
    private let isStopped = Mutex(false)

    /// How long a stop waits for finished answers to reach their clients.
    private static let lastBytesMilliseconds = 500

    /// Listens at a socket that was opened before, for whoever must know its address earlier, or
    /// else opens one. The socket is closed with the listener, or when this throws.
    package init(
        _ configuration: ListenerConfiguration, at socket: ListeningSocket? = nil,
        handler: @escaping Handler
    ) throws(ListenerError) {
        guard configuration.tls == nil || listenerSpeaksTLS else {
            socket?.close()
            throw ListenerError(
                code: .other,
                detail: "This libmicrohttpd was built without TLS. Install one that has it, such as"
                    + " Debian's, or do without a port for TLS.")
        }
        let core = ListenerCore(configuration: configuration, handler: handler)
        let host = configuration.host
        var daemons: [ListenerDaemon] = []
        do throws(ListenerError) {
            let plain: ListeningSocket
            if let socket {
                plain = socket
            } else {
                plain = try ListeningSocket(host: host, port: configuration.port)
            }
            daemons.append(try ListenerDaemon(core, at: plain))
            if let tls = configuration.tls {
                let encrypted = try ListeningSocket(host: host, port: tls.port)
                daemons.append(try ListenerDaemon(core, at: encrypted, tls: tls))
            }
        } catch {
            for daemon in daemons { daemon.stop() }
            core.close()
            throw error
        }
        self.core = core
        self.daemons = daemons
        port = daemons[0].port
        url = "http://\(ListeningSocket.authority(host, port))"
        tlsPort = daemons.dropFirst().first?.port
        tlsURL = tlsPort.map { "https://\(ListeningSocket.authority(host, $0))" }
    }

    deinit { stop(graceMilliseconds: 0) }

    /// Stops listening, waits for requests in progress, answers those left after the grace period
    /// with 503, and closes. Calling it again does nothing. The owner of long polls must end them
    /// first.
    package func stop(graceMilliseconds: Int = 5_000) {
        isStopped.withLock { isStopped in
            guard !isStopped else { return }
            isStopped = true
            core.isStopping.store(true, ordering: .sequentiallyConsistent)
            finishRequests(graceMilliseconds: graceMilliseconds)
            for daemon in daemons { daemon.stop() }
            core.close()
        }
    }

    private func finishRequests(graceMilliseconds: Int) {
        waitUntil(milliseconds: graceMilliseconds) {
            core.requestsOpen.load(ordering: .acquiring) == 0
        }
        // A handler always returns and an answer in progress always arrives, so this ends.
        waitUntil(milliseconds: .max) {
            core.room.expireAll()
            return core.handlersRunning.load(ordering: .sequentiallyConsistent) == 0
                && core.room.isEmpty
        }
        waitUntil(milliseconds: Self.lastBytesMilliseconds) {
            core.requestsOpen.load(ordering: .acquiring) == 0
        }
    }

    private func waitUntil(milliseconds: Int, _ isDone: () -> Bool) {
        let start = nowNanoseconds()
        let wait = UInt64(clamping: milliseconds)
        while !isDone(), (nowNanoseconds() - start) / 1_000_000 < wait {
            usleep(2_000)
        }
    }
}

/// Why a listener did not start.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case badAddress
        case addressInUse
        case notPermitted
        case other
    }

    package let code: Code
    /// A sentence that says what was wrong, where, and what to do.
    package let detail: String

    package var description: String { "\(code.rawValue): \(detail)" }
}
