import Foundation
import StoreCaller
import StoreHTTP
import TestSupport
import Testing

@testable import PurchaseBackend

/// Who may have how many large bodies on their way.
@Suite(.ownThreads) struct LargeBodyServerTests {
    private static let largest = 16 << 20

    @Test func `strangers' endless receipts keep no user's large receipt out`() throws {
        let site = try Site()
        defer { site.stop() }
        site.store.behave(.answer(StoreAnswers.verified([.init()])))
        let token = try site.signUp("dora")
        let stalled = try (0..<4).map { _ in
            try StalledBody(site, sent: Self.largest - 1_000, of: Self.largest)
        }
        // Until the last of it has arrived, a stranger hears that the token is missing.
        try eventually { try send(site, 1 << 20) == 503 }
        #expect(try send(site, 1 << 20, token: "made-up") == 503)
        #expect(try send(site, 1 << 20, token: token) == 200)
        #expect(try send(site, 1_000) == 401, "small bodies always work")
        withExtendedLifetime(stalled) {}
    }

    @Test func `one user's endless receipts keep no other's large receipt out`() throws {
        let site = try Site()
        defer { site.stop() }
        site.store.behave(.answer(StoreAnswers.verified([.init()])))
        let crowd = try site.signUp("dora")
        let stalled = try (0..<2).map { _ in
            try StalledBody(site, sent: Self.largest - 1_000, of: Self.largest, token: crowd)
        }
        try eventually { try send(site, 1 << 20, token: crowd) == 503 }
        #expect(try send(site, 1 << 20, token: site.signUp("emil")) == 200)
        #expect(try send(site, 1 << 20) == 401, "strangers have a share of their own")
        #expect(try send(site, 1_000, token: crowd) != 503, "small bodies always work")
        withExtendedLifetime(stalled) {}
    }

    @Test func `a large body counts for the operator, for a user or for strangers`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let user = try #require(
            try rig.database.read {
                try SessionRecords.user($0, tokenHash: TokenMint.hash(token), now: rig.clock.now)
            })
        #expect(sender(rig, "/v1/receipts", nil) == .stranger)
        #expect(sender(rig, "/v1/receipts", "made-up") == .stranger)
        #expect(sender(rig, "/v1/receipts", token) == .account(user.rawValue))
        #expect(sender(rig, "/operator/v1/prices", token) == .stranger)
        #expect(sender(rig, "/operator/v1/prices", Rig.operatorToken) == .owner)
        #expect(
            sender(rig, "/operator/v1/prices", Rig.operatorToken, host: "elsewhere.test")
                == .stranger)
        rig.clock.advance(milliseconds: BackendLimits.sessionLifetimeMilliseconds)
        #expect(sender(rig, "/v1/receipts", token) == .stranger, "the session has ended")
    }

    private func sender(
        _ rig: Rig, _ path: String, _ token: String?, host: String = "localhost"
    ) -> BodySender {
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return rig.service.sender(
            of: HTTPRequest(
                method: "POST", path: path,
                segments: path.split(separator: "/").map(String.init),
                headers: HTTPHeaders([("Host", host)] + authorization)))
    }

    /// Submits a receipt of a size and gives the answer's status.
    private func send(_ site: Site, _ count: Int, token: String? = nil) throws -> Int {
        let receipt = String(repeating: "AAAA", count: count / 4)
        return try site.send(
            "POST", "/v1/receipts", token: token, Rig.submission(receipt: receipt)
        ).status
    }
}

/// A connection in the middle of a body, until it is released.
private final class StalledBody {
    private let descriptor: Int32

    init(_ site: Site, sent: Int, of count: Int, token: String? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port = try #require(URL(string: site.server.url)?.port)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head =
            "POST /v1/receipts HTTP/1.1\r\nHost: localhost\r\n\(authorization)"
            + "Content-Length: \(count)\r\n\r\n"
        var rest = (Array(head.utf8) + [UInt8](repeating: 0x20, count: sent))[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            try #require(count > 0)
            rest = rest.dropFirst(count)
        }
    }

    deinit { close(descriptor) }
}
