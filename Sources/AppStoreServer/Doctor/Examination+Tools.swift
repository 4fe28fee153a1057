import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning

// The store's foundations: libraries, and the tool with which others read its roots.
extension Installation {
    /// The oldest versions that have everything the store uses.
    static let librariesMin = [
        ("SQLite", databaseLibraryVersion, [3, 35, 0]),
        ("OpenSSL", signingLibraryVersion, [3, 0, 0]),
        ("libmicrohttpd", listenerLibraryVersion, [0, 9, 75]),
    ]

    /// `judgesLines` says whether the listener checks the line ends of a head.
    package func libraries(judgesLines: Bool = listenerJudgesLines) -> Finding {
        let named = Self.librariesMin.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let old = Self.librariesMin.filter { library in
            Self.numbers(of: library.1).lexicographicallyPrecedes(library.2)
        }
        if let first = old.first {
            let needed = first.2.map { "\($0)" }.joined(separator: ".")
            return .bad(
                "libraries", named, "install \(first.0) \(needed) or later; scripts/bootstrap does")
        }
        guard judgesLines else {
            return .warning(
                "libraries",
                "\(named); this libmicrohttpd accepts requests whose heads have bare line feeds, "
                    + "folded lines or NUL bytes",
                "install libmicrohttpd 0.9.75, or put the \(server) behind a proxy that refuses such "
                    + "requests")
        }
        return .good("libraries", named)
    }

    private static func numbers(of version: String) -> [Int] {
        version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    }
}

extension Examination {
    /// Whether the common tool can read the roots that are given to others.
    func roots() -> Finding {
        let check = "roots"
        let paths = rootPaths()
        for path in paths {
            switch Self.openssl(["x509", "-in", path, "-noout"]) {
            case 0:
                guard Self.openssl(["x509", "-in", path, "-noout", "-checkend", "0"]) == 0 else {
                    return .bad(
                        check, "\(path) is no longer valid: a store's roots end with 2099",
                        "set this machine's clock")
                }
            case nil:
                return .warning(
                    check, "the PATH has no openssl to read them with",
                    "install it: apt-get install openssl")
            default:
                return .bad(
                    check, "openssl cannot read \(path)", "put this file back from a backup")
            }
        }
        return .good(check, "openssl reads \(paths.count) of them in \(directory)/keys")
    }

    /// Nil when the store never spoke TLS.
    func tls() -> Finding? {
        let check = "TLS"
        guard FileManager.default.fileExists(atPath: directory + "/tls") else { return nil }
        guard listenerSpeaksTLS else {
            return .warning(
                check, "this libmicrohttpd was built without it",
                "install one that has it, such as Debian's, or leave --tls-port out")
        }
        do {
            guard let end = try TLSIdentity.notAfter(in: directory + "/tls") else {
                return .good(check, "the next start with --tls-port makes a certificate")
            }
            let finding = "the certificate is valid until \(CalendarDate(end).rfc3339)"
            let daysLeft = (end.milliseconds - wall.now().milliseconds) / 86_400_000
            return daysLeft < Self.tlsDaysLeftMin
                ? .warning(check, finding, "restart the store, which renews it")
                : .good(check, finding)
        } catch {
            let failure = error as? SigningFailure
            return .bad(
                check, failure?.detail ?? "\(error)",
                failure?.advice ?? "put \(directory)/tls back from a backup")
        }
    }

    private static let tlsDaysLeftMin: Int64 = 30

    /// The next start creates the roots of signed data where they are missing.
    private func rootPaths() -> [String] {
        let names = StoreEnvironment.allCases.map(\.rawValue)
        let later = names.map { "\(directory)/keys/signed-data-root-\($0).pem" }
        return names.map { "\(directory)/keys/root-\($0).pem" }
            + later.filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// The exit code; nil when the program does not exist.
    private static func openssl(_ arguments: [String]) -> Int32? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return process.terminationStatus == 127 ? nil : process.terminationStatus
    }
}

extension Installation {
    /// Whether the server could listen at an address.
    package func freePort(host: String, port: Int) -> Finding {
        if let problem = listeningProblem(host: host, port: port) {
            return .bad("address", problem, "or start the \(server) with another --port")
        }
        return .good("address", "port \(port) of \(host) is free")
    }
}
