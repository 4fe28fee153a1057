import CCurl
import Glibc

/// The transfers of a loop that may share connections, as their poller sees them.
@safe
final class LoopPool {
    private let number: Int
    private let multi: CurlMulti
    private let poller: SocketPoller
    /// When libcurl next has something to do that no socket reports.
    private(set) var dueNanoseconds: UInt64?

    /// `number` tells the pools of a poller apart. At most `connectionsMax` connections are open.
    init?(number: Int, connectionsMax: Int, poller: SocketPoller) {
        guard let multi = CurlMulti(connectionsMax: connectionsMax) else { return nil }
        self.number = number
        self.multi = multi
        self.poller = poller
        unsafe multi.report(to: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        // Freeing the multi handle closes connections, and it is freed after this value.
        unsafe multi.report(to: nil)
    }

    func add(_ easy: EasyHandle) -> Bool { multi.add(easy) }

    func remove(_ easy: EasyHandle) { multi.remove(easy) }

    func finished() -> [(id: UInt, result: CURLcode)] { multi.finished() }

    func act(on event: SocketPoller.Event) {
        multi.act(
            on: event.socket, isReadable: event.isReadable, isWritable: event.isWritable)
    }

    /// Starts added transfers and ends those that are out of time.
    func actOnTime(now: UInt64) {
        guard let due = dueNanoseconds, due <= now else { return }
        // libcurl sets it again for what remains.
        dueNanoseconds = nil
        multi.actOnTime()
    }

    // MARK: - What libcurl asks for

    func watch(_ socket: Int32, for what: Int32) {
        guard what != CURL_POLL_REMOVE else { return poller.forget(socket) }
        poller.watch(
            socket, of: number, isRead: what & CURL_POLL_IN != 0,
            isWritten: what & CURL_POLL_OUT != 0)
    }

    func setTimer(milliseconds: Int) {
        dueNanoseconds =
            milliseconds < 0 ? nil : Self.now() + UInt64(milliseconds) * 1_000_000
    }

    /// The clock of `dueNanoseconds`.
    static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
