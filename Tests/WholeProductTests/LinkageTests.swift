import Foundation
import TestSupport
import Testing

/// What an app that imports StoreKit needs of the system when it runs.
@Suite(.ownThreads) struct LinkageTests {
    @Test(arguments: ["RocketCar", "PurchaseProbe"])
    func `an app needs libcurl and libcrypto, and neither libssl, SQLite nor the listener`(
        app: String
    ) throws {
        let libraries = try Self.neededLibraries(of: app)
        #expect(libraries.isSuperset(of: ["libcurl", "libcrypto"]), "\(libraries)")
        #expect(
            libraries.isDisjoint(with: ["libssl", "libsqlite3", "libmicrohttpd"]), "\(libraries)")
    }

    /// The libraries that a program itself names, without their versions. What these need in turn,
    /// as libcurl needs libssl, is not among them.
    private static func neededLibraries(of program: String) throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("linkage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = Program.folder + "/" + program
        let readelf = try Program(
            "/usr/bin/env", ["readelf", "--dynamic", "--wide", path], logs: folder.path)
        try #require(try readelf.wait() == 0, "\(readelf.errors)")
        return Set(
            readelf.output.matches(of: /\(NEEDED\).*\[([^\]]+?)\.so[^\]]*\]/).map { String($0.1) })
    }
}
