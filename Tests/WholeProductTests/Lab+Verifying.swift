import Foundation
import Testing

extension Lab {
    /// Starts the store and runs a program of `Tests/Verifiers` against it, with its address and data
    /// directory; gives its output. By name, the program calls Apple's host names over TLS.
    func verify(
        with script: String, _ options: [String] = [], byName: Bool = false
    ) throws -> String {
        try startStore(extra: byName ? Self.withTLS : [])
        let python = try #require(Self.python)
        var options = options
        var environment = ["PYTHONDONTWRITEBYTECODE": "1"]
        if byName {
            options += ["--tls-port", "\(try tlsPort)"]
            for name in ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"] { environment[name] = tlsAuthority }
        }
        let program = try Program(
            python,
            ["\(Self.package)/Tests/Verifiers/\(script)", storeURL, storeData] + options,
            environment: environment, logs: folder + "/logs")
        #expect(try program.wait(secondsMax: 600) == 0, "\(program.output)\(program.errors)")
        return program.output
    }
}
