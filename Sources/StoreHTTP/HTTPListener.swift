import CMicroHTTPD
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
    let core: ListenerCore
    private nonisolated(unsafe) let daemon: OpaquePointer
    private let isStopped = Mutex(false)

    /// How long a stop waits for finished answers to reach their clients.
    private static let lastBytesMilliseconds = 500

    package init(
        _ configuration: ListenerConfiguration, handler: @escaping Handler
    ) throws(ListenerError) {
        let listening = try ListeningSocket(host: configuration.host, port: configuration.port)
        core = ListenerCore(configuration: configuration, handler: handler)
        port = listening.port
        let host = configuration.host
        url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        let context = unsafe Unmanaged.passUnretained(core).toOpaque()
        let daemon = unsafe mhd_shim_start(
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue,
            listening.descriptor, UInt32(max(1, configuration.threads)),
            UInt32(max(configuration.threads, configuration.connectionsMax)),
            configuration.headerBytesMax, UInt32(configuration.idleSecondsMax),
            requestMoved, requestBegan, requestEnded, connectionMoved, context)
        guard let daemon = unsafe daemon else {
            core.close()
            throw ListenerError(
                code: .other,
                detail: "libmicrohttpd did not start at port \(listening.port). Are threads and"
                    + " file descriptors available?")
        }
        unsafe self.daemon = unsafe daemon
    }

    deinit { stop(graceMilliseconds: 0) }

    /// Stops listening, waits for requests in progress, answers those left after the grace period
    /// with 503, and closes. Calling it again does nothing. The owner of long polls must end them
    /// first.
    package func stop(graceMilliseconds: Int = 5_000) {
        isStopped.withLock { isStopped in
            guard !isStopped else { return }
            isStopped = true
            let listening = unsafe MHD_quiesce_daemon(daemon)
            // Not closed yet: libmicrohttpd's threads may still use the number.
            if listening >= 0 { shutdown(listening, Int32(SHUT_RDWR)) }
            core.isStopping.store(true, ordering: .sequentiallyConsistent)
            finishRequests(graceMilliseconds: graceMilliseconds)
            unsafe MHD_stop_daemon(daemon)
            if listening >= 0 { close(listening) }
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
