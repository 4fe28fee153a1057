import Foundation
import Synchronization

/// Ports below the range from which Linux usually chooses: a program that was killed, or has not begun to
/// listen, finds its port free.
package enum FreePort {
    private static let range = 10_000..<32_000
    private static let last = Mutex(Int.random(in: range))

    /// One that nobody listens on, and that no other test of this process has.
    package static func next() -> Int {
        for _ in range {
            let port = last.withLock { last in
                last = last + 1 < range.upperBound ? last + 1 : range.lowerBound
                return last
            }
            if isFree(port) { return port }
        }
        fatalError("no port from \(range.lowerBound) to \(range.upperBound) is free: \(errno)")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
