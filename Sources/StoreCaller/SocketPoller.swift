import CCurl
import Glibc

/// Waits for many sockets at once, and for a wake-up by another thread.
///
/// The time that a wait takes depends on how many sockets have news, not on how many are watched, as
/// it would with `curl_multi_poll`. One thread at a time may use it, except for `wake()`.
@safe
final class SocketPoller: @unchecked Sendable {
    struct Event {
        let socket: Int32
        let pool: Int
        let isReadable: Bool
        let isWritable: Bool
    }

    private static let eventsMax = 256
    private static let bellKey = UInt64.max

    private let epoll: Int32
    private let bell: Int32
    private let buffer = UnsafeMutableBufferPointer<epoll_event>.allocate(
        capacity: SocketPoller.eventsMax)

    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard epoll >= 0, bell >= 0, watch(bell, key: Self.bellKey, events: EPOLLIN.rawValue)
        else { return nil }
    }

    deinit {
        unsafe buffer.deallocate()
        if epoll >= 0 { Glibc.close(epoll) }
        if bell >= 0 { Glibc.close(bell) }
    }

    /// Ends the current or next wait, from any thread.
    func wake() {
        eventfd_write(bell, 1)
    }

    /// Watches a socket of a pool, in place of what was watched of it before.
    func watch(_ socket: Int32, of pool: Int, isRead: Bool, isWritten: Bool) {
        let events = (isRead ? EPOLLIN.rawValue : 0) | (isWritten ? EPOLLOUT.rawValue : 0)
        let key = UInt64(pool) << 32 | UInt64(UInt32(bitPattern: socket))
        _ = watch(socket, key: key, events: events)
    }

    func forget(_ socket: Int32) {
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil)
    }

    /// Waits for news; nil waits for as long as there are none.
    func wait(milliseconds: Int32?) -> [Event] {
        let count = unsafe epoll_wait(
            epoll, buffer.baseAddress, Int32(buffer.count), milliseconds ?? -1)
        return (0..<max(0, Int(count))).compactMap { index in
            unsafe event(buffer[index].events, key: buffer[index].data.u64)
        }
    }

    private func watch(_ socket: Int32, key: UInt64, events: UInt32) -> Bool {
        var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: key))
        if unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0 { return true }
        return unsafe errno == EEXIST && epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0
    }

    private func event(_ events: UInt32, key: UInt64) -> Event? {
        guard key != Self.bellKey else {
            var count: eventfd_t = 0
            unsafe eventfd_read(bell, &count)
            return nil
        }
        // After an error both reading and writing end at once and say what it was.
        let isBroken = events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        return Event(
            socket: Int32(bitPattern: UInt32(truncatingIfNeeded: key)), pool: Int(key >> 32),
            isReadable: isBroken || events & EPOLLIN.rawValue != 0,
            isWritable: isBroken || events & EPOLLOUT.rawValue != 0)
    }
}
