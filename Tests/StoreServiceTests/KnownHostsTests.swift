import StoreHTTP
import StoreService
import Testing

/// To which hosts a server answers its owner, and which pages may ask.
struct KnownHostsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String?
        var origin: String?
        var address = "127.0.0.1"
        let status: Int

        var testDescription: String { "\(host ?? "none") from \(origin ?? "none") at \(address)" }
    }

    @Test(arguments: [
        Row(host: nil, status: 200), Row(host: "localhost", status: 200),
        Row(host: "LocalHost:8080", status: 200), Row(host: "127.0.0.1:1", status: 200),
        Row(host: "127.8.9.1", status: 200), Row(host: "[::1]:8080", status: 200),
        Row(host: "[0:0:0:0:0:0:0:1]", status: 200), Row(host: "Shop.test:80", status: 200),
        Row(host: "10.1.2.3", status: 200), Row(host: "[fd00::7]", status: 200),
        Row(host: "", status: 421), Row(host: "evil.test", status: 421),
        Row(host: "shop.test.evil.test", status: 421),
        Row(host: "127.0.0.1.evil.test", status: 421),
        Row(host: "localhost.evil.test", status: 421), Row(host: "127.1", status: 421),
        Row(host: "0x7f.0.0.1", status: 421), Row(host: "2130706433", status: 421),
        Row(host: "127.0.0.01", status: 421), Row(host: "0.0.0.0", status: 421),
        Row(host: "192.168.0.9", status: 421), Row(host: "::1", status: 421),
        Row(host: "[::1", status: 421), Row(host: "[::1]evil.test", status: 421),
        Row(host: "[localhost]", status: 421), Row(host: "[127.0.0.1]", status: 421),
        Row(host: "localhost:8080:1", status: 421), Row(host: "localhost:x", status: 421),
        Row(host: "localhost.", status: 421), Row(host: "shop.test.:80", status: 421),
        Row(host: "127.0.0.1.", status: 421), Row(host: "null", status: 421),
        Row(host: "a@localhost", status: 421), Row(host: "localhost, evil.test", status: 421),
    ])
    func `a host is known as loopback, as the address listened on or as allowed`(row: Row) {
        #expect(status(row) == row.status)
    }

    @Test(arguments: [
        Row(host: "192.168.0.9:8080", address: "192.168.0.9", status: 200),
        Row(host: "192.168.0.8:8080", address: "192.168.0.9", status: 421),
        Row(host: "192.168.0.8:8080", address: "0.0.0.0", status: 200),
        Row(host: "[2001:db8::1]:8080", address: "0.0.0.0", status: 200),
        Row(host: "192.168.0.8", address: "::", status: 200),
        Row(host: "[2001:db8:0::1]", address: "2001:db8::1", status: 200),
        Row(host: "evil.test", address: "0.0.0.0", status: 421),
        Row(host: "evil.test", address: "::", status: 421),
    ])
    func `any address is known where all of them are listened on, and no name`(row: Row) {
        #expect(status(row) == row.status)
    }

    @Test(arguments: [
        Row(host: "localhost", origin: "http://localhost:3000", status: 200),
        Row(host: "localhost", origin: "https://shop.test", status: 200),
        Row(host: nil, origin: "http://[::1]:3000", status: 200),
        Row(host: "localhost", origin: "http://evil.test", status: 403),
        Row(host: nil, origin: "http://evil.test", status: 403),
        Row(host: "localhost", origin: "http://localhost.evil.test", status: 403),
        Row(host: "localhost", origin: "null", status: 403),
        Row(host: "localhost", origin: "", status: 403),
        Row(host: "localhost", origin: "http://localhost.", status: 403),
        Row(host: "localhost", origin: "file://", status: 403),
        Row(host: "localhost", origin: "chrome-extension://localhost", status: 403),
        Row(host: "localhost", origin: "localhost", status: 403),
        Row(host: "localhost", origin: "http://localhost http://evil.test", status: 403),
        Row(host: "evil.test", origin: "http://evil.test", status: 421),
        Row(
            host: "192.168.0.8", origin: "http://203.0.113.9", address: "0.0.0.0", status: 403),
        Row(host: nil, origin: "http://203.0.113.9", address: "::", status: 403),
        Row(
            host: "192.168.0.8:8080", origin: "http://192.168.0.8:3000", address: "0.0.0.0",
            status: 200),
    ])
    func `a page of another host may not ask`(row: Row) {
        #expect(status(row) == row.status)
    }

    @Test func `of two origins neither is believed`() {
        let headers = [("Origin", "http://localhost"), ("Origin", "http://evil.test")]
        #expect(refusal(headers, "127.0.0.1")?.code == "originForeign")
    }

    private func status(_ row: Row) -> Int {
        let headers = [("Host", row.host), ("Origin", row.origin)]
        return refusal(headers.compactMap { name, value in value.map { (name, $0) } }, row.address)?
            .status ?? 200
    }

    private func refusal(_ headers: [(String, String)], _ address: String) -> Refusal? {
        let hosts = KnownHosts(
            listeningOn: address, allowing: ["shop.test", "10.1.2.3", "fd00::7"])
        let request = HTTPRequest(
            method: "GET", path: "/", segments: [], headers: HTTPHeaders(headers))
        do { try hosts.admit(request) } catch { return error }
        return nil
    }
}
