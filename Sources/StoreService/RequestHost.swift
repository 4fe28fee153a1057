import Glibc

/// The host that a request names: a name in lowercase, or the bytes of an address.
package enum RequestHost: Hashable, Sendable {
    case name(String)
    case address([UInt8])

    package init(_ text: String) {
        let bytes = Self.bytes(text, AF_INET) ?? Self.bytes(text, AF_INET6)
        self = bytes.map { .address($0) } ?? .name(text.lowercased())
    }

    /// The host of a `Host` header such as `localhost`, `127.0.0.1:8080` or `[::1]:8080`; nil when
    /// invalid.
    package init?(authority: Substring) {
        // By hand, since a regular expression would cost a request to /control a tenth of a
        // millisecond.
        let isBracketed = authority.first == "["
        let colon = authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end = isBracketed ? authority.lastIndex(of: "]") : colon else { return nil }
        let port = authority[end...].dropFirst(isBracketed ? 1 : 0)
        guard port.isEmpty || port.first == ":",
            port.dropFirst().allSatisfy({ "0"..."9" ~= $0 })
        else { return nil }
        let host = authority[..<end]
        if isBracketed {
            guard let bytes = Self.bytes(String(host.dropFirst()), AF_INET6) else { return nil }
            self = .address(bytes)
        } else {
            guard !host.isEmpty, !host.contains("["), !host.contains("]") else { return nil }
            self.init(String(host))
        }
    }

    var isAddress: Bool { if case .address = self { true } else { false } }

    var isLoopback: Bool {
        guard case .address(let bytes) = self else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : self == RequestHost("::1")
    }

    /// Strict: `127.1` and `0x7f.0.0.1` are names.
    private static func bytes(_ text: String, _ family: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
