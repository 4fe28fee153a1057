import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning

// What the store stands on: libraries, and the tool that others look at its roots with.
extension Examination {
    /// The oldest versions that have what the store uses.
    static let librariesMin = [
        ("SQLite", databaseLibraryVersion, [3, 35, 0]),
        ("OpenSSL", signingLibraryVersion, [3, 0, 0]),
        ("libmicrohttpd", listenerLibraryVersion, [0, 9, 75]),
    ]

    /// `judgesLines` tells whether the listener sees how the lines of a head end.
    func libraries(judgesLines: Bool = listenerJudgesLines) -> Finding {
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
                "\(named); with this libmicrohttpd, requests whose heads have bare line feeds, "
                    + "folded lines or NUL bytes are not refused",
                "install libmicrohttpd 0.9.75, or let nobody in but through a proxy that refuses "
                    + "such requests")
        }
        return .good("libraries", named)
    }

    private static func numbers(of version: String) -> [Int] {
        version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    }

    /// Whether the roots to hand out can be read by the tool that everybody has.
    func roots() -> Finding {
        let check = "roots"
        for environment in StoreEnvironment.allCases {
            let path = "\(directory)/keys/root-\(environment.rawValue).pem"
            switch Self.openssl(["x509", "-in", path, "-noout"]) {
            case 0:
                guard Self.openssl(["x509", "-in", path, "-noout", "-checkend", "0"]) == 0 else {
                    return .bad(
                        check, "\(path) is no longer valid: a store's roots end with 2099",
                        "set this machine's clock")
                }
            case nil:
                return .warning(
                    check, "there is no openssl on the PATH to read them with",
                    "install it: apt-get install openssl")
            default:
                return .bad(
                    check, "openssl cannot read \(path)", "put this file back from a backup")
            }
        }
        return .good(check, "openssl reads \(directory)/keys/root-*.pem")
    }

    /// The exit code; nil when there is no such program.
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

    /// Whether a store could listen at an address.
    package func freePort(host: String, port: Int) -> Finding {
        if let problem = listeningProblem(host: host, port: port) {
            return .bad("address", problem, "or start the store with another --port")
        }
        return .good("address", "port \(port) of \(host) is free")
    }
}
