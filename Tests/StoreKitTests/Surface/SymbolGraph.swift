import Foundation
import TestSupport
import Testing

/// What the compiler says of a module's public declarations.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }

        struct Availability: Decodable {
            let domain: String
            let isUnconditionallyDeprecated: Bool?
        }

        let kind: Kind
        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let accessLevel: String
        let availability: [Availability]?
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }

    let symbols: [Symbol]
    let relationships: [Relationship]
}

extension SymbolGraph {
    /// The graphs of modules, from the build that these tests are of.
    static func of(_ modules: String...) throws -> [SymbolGraph] {
        let folder = TemporaryFolder()
        let graphs = folder.file("graphs")
        try FileManager.default.createDirectory(
            atPath: graphs, withIntermediateDirectories: false)
        for module in modules { try extract(module, into: folder) }
        return try FileManager.default.contentsOfDirectory(atPath: graphs).sorted().map {
            try JSONDecoder().decode(
                SymbolGraph.self, from: Data(folder.read("graphs/" + $0)))
        }
    }

    private static func extract(_ module: String, into folder: TemporaryFolder) throws {
        let build = ProcessTests.built("")
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources").standardizedFileURL.path
        let outcome = try ProcessTests.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "swift", "symbolgraph-extract", "-module-name", module, "-target", target,
                "-I", build.appendingPathComponent("Modules").path,
                "-Xcc", "-fmodule-map-file=\(build.path)/CStoreKit.build/module.modulemap",
                "-Xcc", "-fmodule-map-file=\(sources)/CCurl/module.modulemap",
                "-Xcc", "-fmodule-map-file=\(sources)/COpenSSL/module.modulemap",
                "-module-cache-path", folder.file("cache"),
                "-minimum-access-level", "public", "-output-dir", folder.file("graphs"),
            ], ["TMPDIR": folder.path])
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private static var target: String {
        #if arch(arm64)
            "aarch64-unknown-linux-gnu"
        #else
            "x86_64-unknown-linux-gnu"
        #endif
    }
}
