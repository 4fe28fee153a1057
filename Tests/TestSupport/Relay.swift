import Foundation

/// Stands between devices and a store of this machine, and has somebody decide about each request.
///
/// It listens on a port of its own and reads whole requests; each is handed on over a connection of
/// its own, so that something can be done to just one.
package final class Relay: Sendable {
    private static let backlog: Int32 = 256

    package let port: Int
    package let storePort: Int
    private let listener: Int32

    /// Listens from now on; nothing is taken before `start`.
    package init(to storePort: Int) throws {
        self.storePort = storePort
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, Self.backlog) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw RawConnection.Failure(message: "cannot listen: \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Has each request carried by `carry`, which answers the device and gives false when the
    /// device's connection is to end with that.
    package func start(_ carry: @escaping @Sendable (RawAnswer, RawConnection) throws -> Bool) {
        let listener = listener
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0, errno != EINTR, errno != ECONNABORTED { return }
                guard descriptor >= 0 else { continue }
                // A program that is started meanwhile must not hold it open.
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    let device = RawConnection(accepted: descriptor)
                    while let request = try? device.readAnswer() {
                        guard (try? carry(request, device)) == true else { return }
                    }
                }
            }
        }
    }

    /// Takes no more connections.
    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    /// What the store answers, as it came.
    package func answer(to request: [UInt8]) throws -> [UInt8] { try reply(to: request).bytes }

    /// What the store answers.
    package func reply(to request: [UInt8]) throws -> RawAnswer {
        let store = try RawConnection(port: storePort)
        store.write(request)
        guard let answer = try store.readAnswer() else {
            throw RawConnection.Failure(message: "the store closed without an answer")
        }
        return answer
    }
}

extension RawAnswer {
    /// Head and body as they came.
    package var bytes: [UInt8] { Array(head.utf8) + body }
}
