import Glibc
import StoreCaller
import Testing

@Suite struct PrivateAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
        "127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254",
        "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255",
        "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255", "192.168.0.0",
        "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255",
        "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0",
        "255.255.255.254", "255.255.255.255",
        "::", "::1", "::2", "::7f00:1", "::808:808", "100::1", "5f00::1", "fc00::",
        "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::1",
        "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::1", "ff00::", "ff02::1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1fff:ffff::", "4000::",
        "2001::1", "2001:1ff:ffff::", "2001:db8::", "2001:db8:ffff:ffff::1", "3fff::1",
        "3fff:fff:ffff::1",
        "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:0.0.0.0", "64:ff9b::127.0.0.1",
        "64:ff9b::169.254.169.254", "64:ff9b::192.168.0.1", "64:ff9b:1::8.8.8.8",
        "64:ff9b:0:0:0:1:808:808", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:c0a8:1::1",
        "2002:ffff:ffff::1",
    ])
    func `an address that is not on the public internet is private`(text: String) throws {
        #expect(PrivateAddress.includes(try bytes(of: text)))
    }

    @Test(arguments: [
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "17.253.144.10", "100.63.255.255",
        "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
        "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
        "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0",
        "223.255.255.255",
        "2000::1", "2001:200::1", "2001:db7::1", "2001:db9::1", "2606:4700::1111",
        "2a01:b740::1", "3ffe::1", "3fff:1000::1", "3fff:ffff::1", "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func `an address on the public internet is not private`(text: String) throws {
        #expect(!PrivateAddress.includes(try bytes(of: text)))
    }

    @Test(arguments: [0, 1, 3, 5, 8, 15, 17])
    func `bytes that are not an address are private`(count: Int) {
        #expect(PrivateAddress.includes([UInt8](repeating: 8, count: count)))
    }

    private func bytes(of text: String) throws -> [UInt8] {
        let isIPv6 = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        try #require(inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1)
        return bytes
    }
}
