import Foundation
import Testing

/// The port of a lab's store that speaks TLS, of one started with `--tls-port`.
extension Lab {
    static let withTLS = ["--tls-port", "0"]

    var tlsPort: Int {
        get throws {
            let line = /TLS +https:\/\/127\.0\.0\.1:([0-9]+)/
            let store = try #require(store)
            // Written behind the line that a start waits for.
            _ = eventually { store.output.contains("TLS ") || !store.isRunning }
            let match = try #require(try line.firstMatch(in: store.output), "\(store.output)")
            return try #require(Int(match.1))
        }
    }

    var tlsAuthority: String { storeData + "/tls/authority.pem" }

    static var python: String? { ProcessInfo.processInfo.environment["BODEGA_PYTHON"] }

    /// A program that carries plain bytes to that port; killed when it is forgotten.
    func startTLSRelay() throws -> TLSRelay {
        try TLSRelay(
            try Program(
                "/usr/bin/python3",
                ["\(Self.package)/Tests/Verifiers/tls_relay.py", "\(try tlsPort)", tlsAuthority],
                logs: folder + "/logs"))
    }
}

/// A relay that runs, and the port at which it takes plain bytes.
final class TLSRelay {
    let port: Int
    private let program: Program

    fileprivate init(_ program: Program) throws {
        self.program = program
        _ = eventually { program.output.hasSuffix("\n") || !program.isRunning }
        port = try #require(
            Int(program.output.trimmingCharacters(in: .whitespacesAndNewlines)),
            "\(program.errors)")
    }

    deinit { program.kill() }
}
