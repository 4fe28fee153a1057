import StoreService
import Testing

@testable import AppStoreServer

/// Which addresses an app's server may have.
struct NotificationAddressTests {
    @Test(arguments: [
        "https://example.com", "https://example.com/path?key=value", "https://example.com:443/",
        "https://example.com:8443/", "https://[2606:2800:220:1:248:1893:25c8:1946]/",
        "https://93.184.216.34/", "HTTPS://EXAMPLE.COM/",
    ])
    func `an address with TLS is taken`(url: String) throws {
        try NotificationAddress.check(url, allowsPrivate: false)
        try NotificationAddress.check(url, allowsPrivate: true)
    }

    @Test(arguments: [
        "http://127.0.0.1:9000/", "http://localhost/", "http://[::1]:9000/",
        "http://receiver:1024/",
        "https://127.0.0.1/", "https://localhost:8443/", "https://10.0.0.1/",
        "https://169.254.169.254/", "https://[fe80::1]/", "https://api.localhost/",
        "http://example.com/",
    ])
    func `plain HTTP and addresses of this machine or network need to be allowed`(
        url: String
    ) throws {
        #expect(throws: Refusal.self) {
            try NotificationAddress.check(url, allowsPrivate: false)
        }
        try NotificationAddress.check(url, allowsPrivate: true)
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com/", "https://", "https:///path", "https://user@host/",
        "https://host:/path", "https://host:22/", "https://host:80/", "https://host:65536/",
        "https://host:0/", "http://host:443/", "https://host/#part", "https://host/a b",
        "https://host/\u{7}", "https://host/\r\nX: y", "https://h\u{F6}st/", "https://[::1",
        "file:///etc/passwd", "https://host:+443/",
        "https://host/" + String(repeating: "a", count: Limits.notificationAddressBytesMax),
    ])
    func `nothing else is an address`(url: String) {
        for allowsPrivate in [false, true] {
            #expect(throws: Refusal.self) {
                try NotificationAddress.check(url, allowsPrivate: allowsPrivate)
            }
        }
    }
}
