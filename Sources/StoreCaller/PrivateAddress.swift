/// Which addresses are not those of a host on the public internet.
///
/// They are the machine itself, its networks, and what the registries reserve
/// (<https://www.iana.org/assignments/iana-ipv4-special-registry>, `iana-ipv6-special-registry`).
package enum PrivateAddress {
    /// Whether an address in network order, of 4 bytes (IPv4) or 16 (IPv6), is private. Anything
    /// else is not an address and counts as private.
    package static func includes(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: ipv4.contains { $0.contains(bytes) }
        case 16: isPrivateIPv6(bytes)
        default: true
        }
    }

    /// Some IPv6 addresses only carry an IPv4 address, and packets reach that one.
    private static func isPrivateIPv6(_ bytes: [UInt8]) -> Bool {
        if mapped.contains(bytes) || nat64.contains(bytes) { return includes(Array(bytes[12...])) }
        if sixToFour.contains(bytes) { return includes(Array(bytes[2..<6])) }
        return !globalIPv6.contains(bytes) || ipv6.contains { $0.contains(bytes) }
    }

    private static let ipv4 = [
        Block([0], 8),  // this network; 0.0.0.0 reaches the machine itself
        Block([10], 8),
        Block([100, 64], 10),  // shared by a provider's customers
        Block([127], 8),  // loopback
        Block([169, 254], 16),  // link-local, with the metadata services of cloud providers
        Block([172, 16], 12),
        Block([192, 0, 0], 24),  // protocol assignments
        Block([192, 0, 2], 24),  // documentation
        Block([192, 88, 99], 24),  // former relays of 6to4
        Block([192, 168], 16),
        Block([198, 18], 15),  // benchmarks
        Block([198, 51, 100], 24),  // documentation
        Block([203, 0, 113], 24),  // documentation
        Block([224], 4),  // multicast
        Block([240], 4),  // reserved, with 255.255.255.255 for broadcast
    ]

    /// All global addresses given out so far. Outside are `::`, `::1`, addresses compatible with
    /// IPv4, fc00::/7, fe80::/10, ff00::/8 and others.
    private static let globalIPv6 = Block([0x20], 3)
    /// What is private in it.
    private static let ipv6 = [
        Block([0x20, 0x01, 0x00], 23),  // protocol assignments, with Teredo
        Block([0x20, 0x01, 0x0d, 0xb8], 32),  // documentation
        Block([0x3f, 0xff], 20),  // documentation
    ]

    private static let mapped = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96)
    private static let nat64 = Block([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96)
    private static let sixToFour = Block([0x20, 0x02], 16)
}

/// The addresses that begin with the same bits.
private struct Block: Sendable {
    private let start: [UInt8]
    private let bits: Int

    /// `start` may leave out zeros at its end.
    init(_ start: [UInt8], _ bits: Int) {
        self.start = start
        self.bits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
        var left = bits
        for (index, byte) in address.enumerated() where left > 0 {
            let mask: UInt8 = left >= 8 ? 0xff : ~(0xff >> UInt8(left))
            let expected = index < start.count ? start[index] : 0
            guard byte & mask == expected & mask else { return false }
            left -= 8
        }
        return true
    }
}
