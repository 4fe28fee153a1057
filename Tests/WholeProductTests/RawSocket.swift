import Foundation
import Glibc

/// A connection to a listener of this machine that sends what a test says and reads when told.
final class RawSocket {
    private let descriptor: Int32

    struct Refused: Error {}

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` runs after this and closes.
        guard result == 0 else { throw Refused() }
    }

    deinit { Glibc.close(descriptor) }

    /// Sends without waiting for room; how much was taken.
    @discardableResult
    func write(_ text: String) -> Int {
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
    var hasNews: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    /// The status of the answer that has begun to arrive.
    var status: String? {
        var bytes = [UInt8](repeating: 0, count: 12)
        guard recv(descriptor, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT)) == bytes.count
        else { return nil }
        return String(decoding: bytes.suffix(3), as: UTF8.self)
    }

    /// Raises how many files this process may have open, as far as the system allows.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
