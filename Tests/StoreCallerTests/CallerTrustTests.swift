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

    @Test(arguments: Way.all)
    func `an authority given as text is trusted by its request alone`(way: Way) throws {
        let (server, other) = (try TLSServer(), try TLSServer())
        defer {
            server.stop()
            other.stop()
        }
        let send = way.start()
        let plain = CallerRequest(method: "GET", url: "https://localhost:\(server.port)/")
        var trusting = plain
        trusting.certificateAuthority = try String(
            contentsOfFile: server.certificate, encoding: .utf8)
        #expect(send(trusting).status == 200)
        #expect(send(trusting).status == 200)
        // Nor is a connection used that the authority was needed for.
        #expect(send(plain).code == .notTrusted)
        var elsewhere = trusting
        elsewhere.url = "https://localhost:\(other.port)/"
        #expect(send(elsewhere).code == .notTrusted)
        var otherName = trusting
        otherName.url = "https://127.0.0.1:\(server.port)/"
        #expect(send(otherName).code == .notTrusted)
    }

    @Test(arguments: Way.all, ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAA\n"])
    func `an authority that is not a certificate trusts nobody`(way: Way, text: String) throws {
        let server = try TLSServer()
        defer { server.stop() }
        let request = CallerRequest(
            method: "GET", url: "https://localhost:\(server.port)/", certificateAuthority: text)
        #expect(way.start()(request).code == .notTrusted)
    }

    @Test func `an authority given as text replaces the caller's file`() throws {
        let (server, other) = (try TLSServer(), try TLSServer())
        defer {
            server.stop()
            other.stop()
        }
        let caller = Caller(certificateAuthorityFile: server.certificate)
        var request = CallerRequest(method: "GET", url: "https://localhost:\(server.port)/")
        request.certificateAuthority = try String(
            contentsOfFile: other.certificate, encoding: .utf8)
        #expect(code(caller, request) == .notTrusted)
        request.url = "https://localhost:\(other.port)/"
        #expect(try caller.send(request).status == 200)
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
