package import StoreHTTP

/// The hosts under which a server's owner reaches it.
///
/// A web page can have its own name resolve to an address of this machine or network, and then read
/// the answers (DNS rebinding). Its browser still sends that name as the `Host`.
package struct KnownHosts: Sendable {
    private let hosts: Set<RequestHost>
    private let takesEveryAddress: Bool

    /// Loopback, the address that the server listens on, and the names or addresses that its owner
    /// also allows; any address, if it listens on all of the machine's.
    package init(listeningOn address: String, allowing others: [String] = []) {
        hosts = Set((["localhost", address] + others).map { RequestHost($0) })
        takesEveryAddress = [RequestHost("0.0.0.0"), RequestHost("::")].contains(
            RequestHost(address))
    }

    /// Throws 421 when the request was sent to another host, and 403 when a page of another host
    /// sent it. A missing `Host` passes: browsers send one.
    package func admit(_ request: HTTPRequest) throws(Refusal) {
        let named = request.headers["Host"]
        let host = named.flatMap { RequestHost(authority: $0[...]) }
        if named != nil, host.map({ knows($0) || (takesEveryAddress && $0.isAddress) }) != true {
            throw Refusal(
                421, "hostUnknown",
                "This server does not accept that host here: call it by localhost or by the "
                    + "address that it listens on, or start it with --allow-host.")
        }
        guard let origin = request.headers["Origin"] else { return }
        guard request.headers.count(of: "Origin") == 1, let mark = origin.firstRange(of: "://"),
            ["http", "https"].contains(origin[..<mark.lowerBound]),
            let page = RequestHost(authority: origin[mark.upperBound...]),
            knows(page) || page == host
        else {
            throw Refusal(403, "originForeign", "Pages of other hosts may not call this address.")
        }
    }

    /// Admits a monitoring system, which has a token of its own, with which it can read numbers and
    /// nothing else; or the owner with theirs.
    package func admitToMetrics(_ request: HTTPRequest, hasToken: Bool) throws(Refusal) {
        try admit(request)
        guard hasToken else {
            throw Refusal(
                401, "metricsTokenWrong",
                "The metrics token is missing or wrong; find it in the data directory's "
                    + "metrics-token file.")
        }
    }

    private func knows(_ host: RequestHost) -> Bool { host.isLoopback || hosts.contains(host) }
}
