import Glibc
package import StoreHTTP

/// The hosts under which a server's owner reaches it.
///
/// A web page can have its own name resolve to an address of this machine or network, and then read
/// the answers (DNS rebinding). Its browser still sends that name as the `Host`.
package struct KnownHosts: Sendable {
    private let hosts: Set<Host>
    private let takesEveryAddress: Bool

    /// Loopback, the address that the server listens on, and the names or addresses that its owner
    /// also allows; any address, if it listens on all of the machine's.
    package init(listeningOn address: String, allowing others: [String] = []) {
        hosts = Set((["localhost", address] + others).map { Host($0) })
        takesEveryAddress = [Host("0.0.0.0"), Host("::")].contains(Host(address))
    }

    /// Throws 421 when the request was sent to another host, and 403 when a page of another host
    /// sent it. A missing `Host` passes: browsers send one.
    package func admit(_ request: HTTPRequest) throws(Refusal) {
        let named = request.headers["Host"]
        let host = named.flatMap { Host(authority: $0[...]) }
        if named != nil, host.map({ knows($0) || (takesEveryAddress && $0.isAddress) }) != true {
            throw Refusal(
                421, "hostUnknown",
                "This server does not accept that host here: call it by localhost or by the "
                    + "address that it listens on, or start it with --allow-host.")
        }
        guard let origin = request.headers["Origin"] else { return }
        guard request.headers.count(of: "Origin") == 1, let mark = origin.firstRange(of: "://"),
            let page = Host(authority: origin[mark.upperBound...]), knows(page) || page == host
        else {
            throw Refusal(403, "originForeign", "Pages of other hosts may not call this address.")
        }
    }

    private func knows(_ host: Host) -> Bool { host.isLoopback || hosts.contains(host) }
}

/// A name in lowercase, or the bytes of an address.
private enum Host: Hashable {
    case name(String)
    case address([UInt8])

    init(_ text: String) {
        let bytes = Self.bytes(text, AF_INET) ?? Self.bytes(text, AF_INET6)
        self = bytes.map { .address($0) } ?? .name(text.lowercased())
    }

    /// The host of a text such as `localhost`, `127.0.0.1:8080` or `[::1]:8080`; nil when invalid.
    init?(authority: Substring) {
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
        return bytes.count == 4 ? bytes[0] == 127 : self == Host("::1")
    }

    /// Strict: `127.1` and `0x7f.0.0.1` are names.
    private static func bytes(_ text: String, _ family: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
