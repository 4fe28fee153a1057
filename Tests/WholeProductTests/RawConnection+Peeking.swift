import Glibc
import TestSupport

/// For tests that hold many connections at once and wait for none of them.
extension RawConnection {
    /// Sends without waiting for room; how much was taken.
    @discardableResult
    func push(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return max(0, count)
    }

    /// Whether the other side closed it, as far as is known now.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Whether an answer has begun to arrive.
    var hasNews: Bool { !peek(1).isEmpty }

    /// The status of the answer that has begun to arrive.
    var status: String? {
        let head = peek(12)
        return head.count == 12 ? String(decoding: head.suffix(3), as: UTF8.self) : nil
    }

    /// What has arrived already, up to a number of bytes; it stays to be read.
    private func peek(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let arrived = recv(descriptor, &bytes, count, Int32(MSG_PEEK | MSG_DONTWAIT))
        return Array(bytes.prefix(max(0, arrived)))
    }

    /// Raises how many files this process may have open, as far as the system allows.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
