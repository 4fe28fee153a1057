import Foundation
import StoreHTTP
import TestSupport

/// `openssl s_client`, which carries what a test says byte by byte over TLS.
final class TLSClient {
    /// The test's side; ends when the server or the handshake does.
    let raw: RawClient
    private let process = Process()
    private let errors = TemporaryFolder()

    /// One that takes commands prints much, and reads `R` at a line's start as a wish for another
    /// handshake.
    init(
        port: Int, trusting file: String, _ arguments: [String] = [], takesCommands: Bool = false
    ) throws {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw RawClientError.refused }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(
            pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        raw = RawClient(descriptor: pair[0])
        let other = FileHandle(fileDescriptor: pair[1], closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", file]
            + (takesCommands ? [] : ["-quiet"])
            + ["-verify_return_error", "-verify_hostname", "localhost"] + arguments
        process.standardInput = other
        process.standardOutput = other
        try errors.write("", "errors")
        process.standardError = FileHandle(forWritingAtPath: errors.file("errors"))
        try process.run()
        try other.close()
    }

    deinit { kill() }

    /// Ends it without a word to the server: no `close_notify`.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What it said about the handshake.
    var said: String { (try? String(contentsOfFile: errors.file("errors"), encoding: .utf8)) ?? "" }
}

/// A key and a certificate for `localhost`, made once.
struct TLSFiles {
    let certificate: String
    private let key: String

    private static let made = Result<TLSFiles, any Error> {
        let folder = TemporaryFolder.untilExit()
        let files = TLSFiles(
            certificate: folder.file("certificate.pem"), key: folder.file("key.pem"))
        let done = try Command(
            "openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
                + ["-days", "2", "-subj", "/CN=localhost", "-addext"]
                + ["subjectAltName=DNS:localhost", "-keyout", files.key, "-out", files.certificate])
        guard done.status == 0 else { throw RawClientError.refused }
        return files
    }

    static func get() throws -> TLSFiles { try made.get() }

    func port(connectionsMax: Int = 64) throws -> TLSPort {
        func bytes(_ path: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return TLSPort(
            connectionsMax: connectionsMax, key: try bytes(key),
            certificate: try bytes(certificate))
    }
}
