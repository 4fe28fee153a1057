import Glibc
import StoreVerification

/// A name or address of a server, as its certificate gives it.
package enum ServerName: Hashable, Sendable {
    /// In lowercase.
    case name(String)
    /// The 4 or 16 bytes of an address.
    case address([UInt8])

    /// Reads an address such as `127.0.0.1` or `::1`; anything else is a name. Nil unless it is in
    /// ASCII.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let bytes = Self.bytes(text, AF_INET) ?? Self.bytes(text, AF_INET6)
        self = bytes.map { .address($0) } ?? .name(text.lowercased())
    }

    private static func bytes(_ text: String, _ family: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// The GeneralName (DER) of RFC 5280, 4.2.1.6.
    var der: [UInt8] {
        switch self {
        case .name(let text): Self.dns(Array(text.utf8))
        case .address(let bytes): Self.ip(bytes)
        }
    }

    /// The GeneralSubtree (DER) that permits it and, of a name, what ends with it (4.2.1.10).
    var subtree: [UInt8] {
        switch self {
        case .name: DERWriter.sequence(der)
        case .address(let bytes):
            DERWriter.sequence(Self.ip(bytes + [UInt8](repeating: 0xFF, count: bytes.count)))
        }
    }

    private static func dns(_ bytes: [UInt8]) -> [UInt8] {
        DERWriter.element(.context(2, constructed: false), bytes)
    }

    private static func ip(_ bytes: [UInt8]) -> [UInt8] {
        DERWriter.element(.context(7, constructed: false), bytes)
    }
}
