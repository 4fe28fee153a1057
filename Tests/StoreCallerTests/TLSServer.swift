import Foundation
import Glibc
import StoreCaller
import TestSupport

/// `openssl s_server` with a self-signed certificate for `localhost`.
final class TLSServer {
    let port: Int
    let certificate: String
    private let folder = TemporaryFolder()
    private let process: pid_t

    init() throws {
        certificate = folder.file("cert.pem")
        let key = folder.file("key.pem")
        Self.wait(
            for: Self.openssl([
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key,
                "-out", certificate,
            ]))
        port = FreePort.next()
        process = Self.openssl([
            "s_server", "-accept", "\(port)", "-cert", certificate, "-key", key, "-www",
            "-quiet",
        ])
        waitUntilOpen()
    }

    /// Killed, not asked: a child of a test inherits a mask that blocks SIGTERM.
    func stop() {
        kill(process, SIGKILL)
        Self.wait(for: process)
    }

    private func waitUntilOpen() {
        let request = CallerRequest(method: "GET", url: "http://127.0.0.1:\(port)/")
        for _ in 0..<2_400 {
            do {
                _ = try Caller().send(request)
                return
            } catch {
                if ![.unreachable, .notTLS].contains(error.code) { return }
            }
            usleep(50_000)
        }
    }

    private static func openssl(_ arguments: [String]) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = -1
        posix_spawnp(&process, "openssl", &actions, nil, &words, environ)
        return process
    }

    private static func wait(for process: pid_t) {
        while waitpid(process, nil, 0) == -1, errno == EINTR {}
    }
}
