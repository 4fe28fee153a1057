import Glibc

/// A listening TCP socket and its actual port. Clients that connect wait until a listener serves them.
package struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// As it was given.
    let host: String
    let port: Int

    /// Where programs of this machine reach it, such as `http://127.0.0.1:8080`, also when it listens
    /// on all addresses.
    package var localURL: String {
        let near = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return "http://\(Self.authority(near, port))"
    }

    /// Connections that wait to be accepted.
    private static let backlogMax: Int32 = 1_024

    package init(host: String, port: Int) throws(ListenerError) {
        guard let number = UInt16(exactly: port) else {
            throw ListenerError(
                code: .badAddress,
                detail: "\(port) is not a port. Use one from 1 to 65535, or 0 for a free one.")
        }
        let name = host == "localhost" ? "127.0.0.1" : host
        if let address = Self.ipv4(name, number) {
            self = try Self.listen(address, family: AF_INET, host: host, port: port)
        } else if let address = Self.ipv6(name, number) {
            self = try Self.listen(address, family: AF_INET6, host: host, port: port)
        } else {
            throw ListenerError(
                code: .badAddress,
                detail: "\"\(host)\" is not an IP address of this machine. Use one such as"
                    + " 127.0.0.1, 0.0.0.0 or ::1.")
        }
    }

    private init(descriptor: Int32, host: String, port: Int) {
        self.descriptor = descriptor
        self.host = host
        self.port = port
    }

    /// For a socket that no listener was given.
    package func close() {
        Glibc.close(descriptor)
    }

    /// The host and port of a URL.
    package static func authority(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    private static func ipv4(_ host: String, _ port: UInt16) -> sockaddr_in? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 ? address : nil
    }

    private static func ipv6(_ host: String, _ port: UInt16) -> sockaddr_in6? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 ? address : nil
    }

    private static func listen<Address>(
        _ address: Address, family: Int32, host: String, port: Int
    ) throws(ListenerError) -> ListeningSocket {
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(family, Int32(flags), 0)
        guard descriptor >= 0 else { throw failure(host: host, port: port) }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        var address = address
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                var length = socklen_t(MemoryLayout<Address>.size)
                return unsafe bind(descriptor, generic, length) == 0
                    && Glibc.listen(descriptor, backlogMax) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isListening else {
            defer { Glibc.close(descriptor) }
            throw failure(host: host, port: port)
        }
        return ListeningSocket(descriptor: descriptor, host: host, port: portOf(address))
    }

    /// The port is at the same offset in both kinds of address.
    private static func portOf<Address>(_ address: Address) -> Int {
        unsafe withUnsafeBytes(of: address) { bytes in
            Int(unsafe UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    private static func failure(host: String, port: Int) -> ListenerError {
        let reason = unsafe String(cString: strerror(errno))
        return switch errno {
        case EADDRINUSE:
            ListenerError(
                code: .addressInUse,
                detail: "Port \(port) of \(host) is in use. Stop the program that uses it, or"
                    + " use another port.")
        case EACCES:
            ListenerError(
                code: .notPermitted,
                detail: "Port \(port) requires special privileges. Use one from 1024"
                    + " up.")
        case EADDRNOTAVAIL:
            ListenerError(
                code: .badAddress,
                detail: "\(host) is not an address of this machine. Use one of its own, such"
                    + " as 127.0.0.1.")
        default:
            ListenerError(
                code: .other, detail: "Listening at \(host), port \(port) failed: \(reason).")
        }
    }
}
