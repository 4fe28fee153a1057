import CMicroHTTPD
import Glibc

/// A daemon of libmicrohttpd: one port with its threads and connections.
@safe
final class ListenerDaemon: Sendable {
    let port: Int
    private let door: ListenerDoor
    private nonisolated(unsafe) let daemon: OpaquePointer

    /// Serves the configuration's port, or the one that speaks TLS.
    init(
        _ core: ListenerCore, at listening: ListeningSocket, tls: TLSPort? = nil
    ) throws(ListenerError) {
        let door = ListenerDoor(
            core: core, connectionsMax: tls?.connectionsMax ?? core.configuration.connectionsMax,
            isEncrypted: tls != nil)
        let daemon = unsafe Self.start(door, listening, tls)
        guard let daemon = unsafe daemon else {
            door.watch.close()
            throw ListenerError(
                code: .other,
                detail: "libmicrohttpd did not start at port \(listening.port). Are threads and"
                    + " file descriptors available?")
        }
        port = listening.port
        self.door = door
        unsafe self.daemon = unsafe daemon
    }

    private static func start(
        _ door: ListenerDoor, _ listening: ListeningSocket, _ tls: TLSPort?
    ) -> OpaquePointer? {
        let configuration = door.core.configuration
        let flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | (tls == nil ? 0 : MHD_USE_TLS.rawValue)
        let context = unsafe Unmanaged.passUnretained(door).toOpaque()
        return unsafe withText(tls?.key) { key in
            unsafe withText(tls?.certificate) { certificate in
                unsafe withText(tls.map { _ in Array(TLSPort.priorities.utf8) }) { priorities in
                    unsafe mhd_shim_start(
                        flags, listening.descriptor, UInt32(max(1, configuration.threads)),
                        UInt32(max(configuration.threads, door.connectionsMax)),
                        configuration.headerBytesMax, UInt32(configuration.idleSecondsMax),
                        key, certificate, priorities,
                        connectionCame, requestMoved, requestBegan, requestEnded, connectionMoved,
                        context)
                }
            }
        }
    }

    /// Closes the connections and the socket and ends the threads.
    func stop() {
        unsafe MHD_stop_daemon(daemon)
        door.watch.close()
    }
}

/// Lends a text to C, with a NUL at its end; NULL for nil.
private func withText<Result>(
    _ bytes: [UInt8]?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    guard let bytes else { return body(nil) }
    return unsafe (bytes + [0]).withUnsafeBytes {
        unsafe body($0.assumingMemoryBound(to: CChar.self).baseAddress)
    }
}
