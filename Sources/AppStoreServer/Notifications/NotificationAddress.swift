import StoreCaller
import StoreService
import StoreWire

/// The rules for the address of an app's server.
///
/// Source: Apple, *Enabling App Store Server Notifications*: TLS, at port 443 or from 1024 up. Plain
/// HTTP is for servers that need no certificate, because nobody is on the way to them.
enum NotificationAddress {
    /// Refuses an address that could not be called, or that only an owner's word makes safe.
    static func check(_ url: String, allowsPrivate: Bool) throws(Refusal) {
        guard (1...Limits.notificationAddressBytesMax).contains(url.utf8.count),
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("#")
        else {
            throw refusal(
                "must be an address of at most \(Limits.notificationAddressBytesMax) bytes, without "
                    + "blanks and #.")
        }
        let isSecure = url.lowercased().hasPrefix("https://")
        guard isSecure || url.lowercased().hasPrefix("http://") else {
            throw refusal("must begin with https://.")
        }
        guard isSecure || allowsPrivate else {
            throw refusal(
                "must begin with https://; plain HTTP is for servers on this machine or network: "
                    + "set allowsPrivateAddresses.")
        }
        let rest = url[url.index(url.startIndex, offsetBy: isSecure ? 8 : 7)...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@"), let host = RequestHost(authority: authority) else {
            throw refusal("must name a host, without a user name.")
        }
        try checkPort(of: authority, isSecure: isSecure)
        guard allowsPrivate || !isPrivate(host) else {
            throw refusal(
                "is an address of this machine or network: set allowsPrivateAddresses to deliver "
                    + "to it.")
        }
    }

    private static func checkPort(
        of authority: Substring, isSecure: Bool
    ) throws(Refusal) {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].contains("]") == false
        else { return }
        let usual = isSecure ? 443 : 80
        guard let port = Int(authority[authority.index(after: colon)...]),
            port == usual || (1_024...65_535).contains(port)
        else { throw refusal("must have the port \(usual), or one from 1024 to 65535.") }
    }

    private static func isPrivate(_ host: RequestHost) -> Bool {
        switch host {
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        case .address(let bytes): PrivateAddress.includes(bytes)
        }
    }

    private static func refusal(_ rule: String) -> Refusal {
        Refusal(422, "badField", "url \(rule)")
    }
}
