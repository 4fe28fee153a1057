import Foundation
import StoreCaller
import TestSupport
import Testing

/// Certificates, against `openssl s_server`.
@Suite(.ownThreads) struct CallerTrustTests {
    @Test func `a named certificate authority is trusted, and nothing else`() throws {
        let server = try TLSServer()
        defer { server.stop() }
        let request = CallerRequest(method: "GET", url: "https://localhost:\(server.port)/")

        let response = try Caller(certificateAuthorityFile: server.certificate).send(request)
        #expect(response.status == 200)
        #expect(code(Caller(), request) == .notTrusted)

        var otherName = request
        otherName.url = "https://127.0.0.1:\(server.port)/"
        let trusting = Caller(certificateAuthorityFile: server.certificate)
        #expect(code(trusting, otherName) == .notTrusted)
    }

    @Test func `a missing authority file trusts nobody`() throws {
        let server = try TLSServer()
        defer { server.stop() }
        let request = CallerRequest(method: "GET", url: "https://localhost:\(server.port)/")
        #expect(code(Caller(certificateAuthorityFile: "/nowhere.pem"), request) == .notTrusted)
    }

    @Test func `HTTPS to a plain HTTP server is told as no TLS`() throws {
        let server = try RawServer { peer in
            peer.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        }
        let request = CallerRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/")
        #expect(code(Caller(), request) == .notTLS)
    }

    private func code(_ caller: Caller, _ request: CallerRequest) -> CallerError.Code? {
        do {
            let response = try caller.send(request)
            Issue.record("answered with \(response.status)")
            return nil
        } catch {
            return error.code
        }
    }
}
