import Glibc

/// Where a request came from.
package struct Peer: Hashable, Sendable {
    /// Unique among the connections of its listener.
    package let connection: UInt64
    /// The client's IPv4 address, or the first half of its IPv6 address, which is one customer's.
    /// Nil for this machine: its programs, and all clients of a proxy on it, share one address.
    package let network: [UInt8]?
    /// Whether it came over TLS.
    package let isEncrypted: Bool

    package init(connection: UInt64, network: [UInt8]? = nil, isEncrypted: Bool = false) {
        self.connection = connection
        self.network = network
        self.isEncrypted = isEncrypted
    }

    /// The peer at the other end of a socket.
    init(connection: UInt64, descriptor: Int32, isEncrypted: Bool) {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &length) == 0
            }
        }
        let bytes = isKnown ? Self.bytes(of: address) : []
        self.init(
            connection: connection, network: Self.network(bytes), isEncrypted: isEncrypted)
    }

    /// The network of an address of 4 or 16 bytes; nil for loopback and anything else.
    static func network(_ address: [UInt8]) -> [UInt8]? {
        switch address.count {
        case 4: address[0] == 127 ? nil : address
        case 16 where address.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]):
            network(Array(address.suffix(4)))
        case 16 where address == [UInt8](repeating: 0, count: 15) + [1]: nil
        case 16: Array(address.prefix(8))
        default: nil
        }
    }

    private static func bytes(of address: sockaddr_storage) -> [UInt8] {
        unsafe withUnsafeBytes(of: address) { bytes in
            switch Int32(address.ss_family) {
            // After the family and the port; for IPv6, the flow as well.
            case AF_INET: unsafe Array(bytes[4..<8])
            case AF_INET6: unsafe Array(bytes[8..<24])
            default: []
            }
        }
    }
}
