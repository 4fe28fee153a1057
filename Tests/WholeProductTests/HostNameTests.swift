import Foundation
import StoreWire
import TestSupport
import Testing

/// The store under Apple's host names, over TLS.
@Suite(.ownThreads) struct HostNameTests {
    private func lab() throws -> Lab {
        let lab = try Lab()
        try lab.startStore(extra: Lab.withTLS)
        return lab
    }

    private func run(
        _ program: String, _ arguments: [String], in lab: Lab,
        environment: [String: String] = [:]
    ) throws -> (code: Int32, text: String) {
        let program = try Program(
            program, arguments, environment: environment, logs: lab.folder + "/logs")
        let code = try program.wait()
        return (code, program.output + program.errors)
    }

    @Test(.enabled(if: Lab.python != nil))
    func `Apple's library and itunes-iap reach the store with no line changed`() throws {
        let lab = try lab()
        let trust = try lab.bodega(["trust", "--json"])
        let file = try WireJSON.decode(Guide.self, from: Array(trust.utf8)).authority
        let found = try run(
            try #require(Lab.python),
            [
                "\(Lab.package)/Tests/Verifiers/host_names.py", lab.storeURL, lab.storeData,
                "\(try lab.tlsPort)",
            ], in: lab, environment: ["REQUESTS_CA_BUNDLE": file, "SSL_CERT_FILE": file])
        #expect(found.code == 0, "\(found.text)")
        #expect(found.text.contains("ocsp.apple.com passes the strictest checks by TLSv1.3"))
    }

    private struct Guide: Decodable {
        struct Step: Decodable {
            let name: String
            let set: [String]
            let undo: [String]
        }

        let authority: String
        let tlsUrl: String?
        let system: [Step]
        let clients: [Step]
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `openssl verifies the chain for each of Apple's names`(version: String) throws {
        let lab = try lab()
        for name in [
            "api.storekit.apple.com", "api.storekit-sandbox.apple.com",
            "api.storekit.itunes.apple.com", "api.storekit-sandbox.itunes.apple.com",
            "buy.itunes.apple.com", "sandbox.itunes.apple.com", "ocsp.apple.com", "localhost",
            // What the lab allows.
            "a",
        ] {
            let found = try run(
                "/usr/bin/openssl",
                [
                    "s_client", "-connect", "127.0.0.1:\(try lab.tlsPort)", version,
                    "-x509_strict", "-purpose", "sslserver", "-CAfile", lab.tlsAuthority,
                    "-verify_return_error", "-servername", name, "-verify_hostname", name,
                ], in: lab)
            #expect(found.code == 0, "\(found.text)")
            #expect(found.text.contains("Verify return code: 0 (ok)"))
            #expect(found.text.contains("Verified peername: \(name)"))
            #expect(found.text.contains("No client certificate CA names sent"))
        }
    }

    @Test(arguments: [
        ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], ["-verify_hostname", "www.apple.com"],
        ["-CAfile", "/etc/ssl/certs/ca-certificates.crt"],
    ])
    func `an old version, another name and another authority are refused`(arguments: [String])
        throws
    {
        let lab = try lab()
        let found = try run(
            "/usr/bin/openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(try lab.tlsPort)", "-verify_return_error",
                "-CAfile", lab.tlsAuthority,
            ] + arguments, in: lab)
        #expect(found.code != 0, "\(found.text)")
        #expect(try Lab.call("GET", lab.storeURL + "/health").status == 200)
    }

    @Test func `curl reaches an environment by its name`() throws {
        let lab = try lab()
        let port = try lab.tlsPort
        for (host, path, expected) in [
            ("api.storekit.apple.com", "/inApps/v1/transactions/1", "Unauthenticated\n 401"),
            ("sandbox.itunes.apple.com", "/verifyReceipt", #"{"status":21000} 200"#),
            ("buy.itunes.apple.com", "/health", " 404"),
            // The responder says that this is no request.
            ("ocsp.apple.com", "/sandbox/ocsp/x", "\u{1}\u{1} 200"),
            ("localhost", "/health", #"{"status":"ok"} 200"#),
        ] {
            let found = try run(
                "/usr/bin/curl",
                [
                    "-sS", "--noproxy", "*", "--cacert", lab.tlsAuthority, "--resolve",
                    "\(host):\(port):127.0.0.1", "-w", " %{http_code} %{http_version}",
                    "https://\(host):\(port)\(path)",
                ], in: lab)
            #expect(found.code == 0, "\(found.text)")
            #expect(found.text.hasSuffix("\(expected) 1.1"), "\(found.text)")
        }
    }

    @Test func `the first lines for curl work as they are printed`() throws {
        let lab = try lab()
        let text = try lab.bodega(["trust"])
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  curl ") })
        let found = try run(
            "/bin/sh", ["-c", "\(line) --noproxy '*' -sS"], in: lab)
        #expect(found.code == 0 && found.text == #"{"status":21002}"#, "\(found.text)")
    }

    @Test func `trust says for every client what to set and how to undo it, and changes nothing`()
        throws
    {
        let lab = try lab()
        func files() throws -> [String: Data] {
            try FileManager.default.subpathsOfDirectory(atPath: lab.storeData + "/tls")
                .reduce(into: [:]) {
                    $0[$1] = FileManager.default.contents(atPath: "\(lab.storeData)/tls/\($1)")
                }
        }
        let before = try files()
        let text = try lab.bodega(["trust"])
        let json = try lab.bodega(["trust", "--json"])
        let guide = try WireJSON.decode(Guide.self, from: Array(json.utf8))
        #expect(guide.tlsUrl == "https://127.0.0.1:\(try lab.tlsPort)")
        #expect(guide.clients.map(\.name) == ["curl", "Python", "Node", "Java", "Swift"])
        #expect(guide.system.map(\.name) == ["host names", "port 443"])
        for step in guide.system + guide.clients {
            #expect(!step.set.isEmpty && !step.undo.isEmpty)
            for line in step.set + step.undo { #expect(text.contains(line)) }
        }
        #expect(text.contains(guide.authority))
        #expect(guide.authority == lab.tlsAuthority)
        #expect(!text.contains("ocsp.apple.com"), "certificates name the store itself")
        lab.store?.terminate()
        try lab.store?.wait()
        #expect(try lab.bodega(["trust"]).contains("not running with --tls-port"))
        #expect(try files() == before)
    }

    @Test func `without an authority, trust says how to get one`() throws {
        let lab = try Lab()
        try lab.startStore()
        let text = try lab.bodega(["trust"], code: 1)
        #expect(text.contains("--tls-port"))
        #expect(!FileManager.default.fileExists(atPath: lab.storeData + "/tls"))
    }

    @Test
    func `restarts keep the certificate, and a new host replaces the authority with a warning`()
        throws
    {
        let lab = try lab()
        lab.store?.terminate()
        #expect(try lab.store?.wait() == 0)
        /// Starts it again, and stops it so that all it says has been said.
        func start(_ extra: [String]) throws -> (warned: Bool, authority: Data?) {
            try lab.startStore(extra: Lab.withTLS + extra)
            lab.store?.terminate()
            #expect(try lab.store?.wait() == 0)
            let said = try #require(lab.store?.errors)
            let warned = said.contains("the authority of TLS was replaced")
            #expect(said.contains("tlsAuthorityReplaced") == warned)
            return (warned, FileManager.default.contents(atPath: lab.tlsAuthority))
        }
        let first = FileManager.default.contents(atPath: lab.tlsAuthority)
        let kept = try start([])
        #expect(!kept.warned && kept.authority == first)
        let other = try start(["--allow-host", "shop.test"])
        #expect(other.warned && other.authority != first)
        let again = try start(["--allow-host", "shop.test"])
        #expect(!again.warned && again.authority == other.authority)
    }

    @Test func `a stop ends idle connections and half handshakes, and frees the port`() throws {
        let lab = try lab()
        let port = try lab.tlsPort
        let relay = try lab.startTLSRelay()
        let idle = try RawConnection(port: relay.port)
        idle.write(Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        #expect(try idle.readAnswer()?.status == 200)
        let half = try RawConnection(port: port)
        half.write([0x16, 3, 1])
        lab.store?.terminate()
        #expect(try lab.store?.wait() == 0)
        #expect(try idle.readAnswer() == nil)
        #expect(try half.readToEnd().isEmpty)
        try lab.startStore(extra: ["--tls-port", "\(port)"])
        #expect(try lab.tlsPort == port)
    }

    @Test func `a port in use, and one that is none, end the start with a sentence`() throws {
        let lab = try lab()
        let other = try Lab()
        for (port, code, words) in [
            ("\(try lab.tlsPort)", Int32(1), "is in use"), ("x", 2, "port"),
        ] {
            let found = try run(
                "bodega", ["serve", "--data", other.storeData, "--port", "0", "--tls-port", port],
                in: other)
            #expect(found.code == code)
            #expect(found.text.contains(words), "\(found.text)")
        }
        let found = try run(
            "bodega", ["serve", "--data", other.storeData, "--port", "0"], in: other,
            environment: ["BODEGA_TLS_PORT": "\(try lab.tlsPort)"])
        #expect(found.code == 1, "the variable counts, too: \(found.text)")
    }

    @Test func `key files that others can read end the start with what to do`() throws {
        let lab = try lab()
        lab.store?.terminate()
        try lab.store?.wait()
        chmod(lab.storeData + "/tls/authority-key.pem", 0o644)
        let found = try run(
            "bodega", ["serve", "--data", lab.storeData, "--port", "0"] + Lab.withTLS, in: lab)
        #expect(found.code == 1)
        #expect(found.text.contains("chmod 600"), "\(found.text)")
    }

    @Test func `half handshakes and rubbish at every place hold up no request`() throws {
        RawConnection.raiseLimit()
        let lab = try lab()
        let relay = try lab.startTLSRelay()
        let begun: [[UInt8]] = [
            [], [0x16, 3, 1], [0x16, 3, 1, 0x7F, 0xFF], Array("GET / HTTP/1.1\r\n".utf8),
        ]
        let crowd = try (0..<600).map { number in
            let socket = try RawConnection(port: try lab.tlsPort)
            socket.write(begun[number % begun.count])
            return socket
        }
        for _ in 0..<5 {
            let client = try RawConnection(port: relay.port)
            client.write(Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            #expect(try client.readAnswer()?.status == 200)
            #expect(try Lab.call("GET", lab.storeURL + "/health").status == 200)
        }
        _ = crowd
    }
}
