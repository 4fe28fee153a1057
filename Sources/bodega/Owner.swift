import Foundation
import Glibc

/// The process that started this one and holds the other end of its standard input, which ends
/// however that process ends.
enum Owner {
    /// Whether standard input has ended. A terminal does not end: there a signal tells.
    static var isGone: Bool {
        guard isatty(0) == 0 else { return false }
        var look = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        var waiting: Int32 = 0
        return poll(&look, 1, 0) != 0 && (ioctl(0, UInt(FIONREAD), &waiting) != 0 || waiting == 0)
    }

    /// Sends this process SIGTERM when standard input ends; what comes before is ignored.
    static func follow() {
        guard isatty(0) == 0 else { return }
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 1_024)
            var count: Int
            repeat {
                // It may be set not to block.
                var look = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
                poll(&look, 1, -1)
                count = read(0, &bytes, bytes.count)
            } while count > 0 || (count < 0 && [EINTR, EAGAIN].contains(errno))
            kill(getpid(), SIGTERM)
        }
    }
}
