import Foundation
import Glibc
import StoreDatabase
import StoreModel
import StoreSigning
import StoreVerification
import TestSupport
import Testing

@testable import AppStoreServer

/// The doctor's findings, one thing broken at a time.
struct ExaminationTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    init() throws {
        let directory = try DataDirectory(path: data)
        let keys = try directory.openKeys()
        _ = try ControlToken.open(path: directory.tokenPath)
        let registry = try WorldRegistry(
            directory: directory.worldsPath, keys: keys,
            wall: WallClock { Self.now }, polls: .init(limit: 1))
        registry.close()
    }

    private static var now: Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    private func findings(at now: Timestamp = Self.now) -> [String: Finding] {
        let found = Examination(directory: data, wall: WallClock { now }).findings()
        return Dictionary(uniqueKeysWithValues: found.map { ($0.check, $0) })
    }

    private func bad(_ check: String, at now: Timestamp = Self.now) throws -> String {
        let found = findings(at: now)
        #expect(found.values.filter { $0.state == .bad }.map(\.check) == [check])
        let finding = try #require(found[check])
        #expect(finding.advice != nil)
        return finding.finding
    }

    private func files() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: data)
        return names.reduce(into: [:]) { files, name in
            files[name] = FileManager.default.contents(atPath: "\(data)/\(name)")
        }
    }

    private func chmod(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: "\(data)/\(name)")
    }

    @Test func `a libmicrohttpd version with unknown parsing is a warning`() {
        let examination = Examination(directory: data, wall: WallClock { Self.now })
        let known = examination.installation.libraries(judgesLines: true)
        #expect(known.state == .good)
        let unknown = examination.installation.libraries(judgesLines: false)
        #expect(unknown.state == .warning)
        #expect(unknown.finding.hasPrefix(known.finding))
        #expect(unknown.advice?.contains("proxy") == true)
    }

    @Test func `the certificate of TLS is looked at once there is one`() throws {
        #expect(findings()["TLS"] == nil)
        do {
            _ = try DataDirectory(path: data).openTLS(for: ["shop.test"], now: Self.now)
        }
        let before = try files()
        #expect(findings()["TLS"]?.state == .good)
        let later = Self.now.adding(milliseconds: 370 * 86_400_000)
        #expect(findings(at: later)["TLS"]?.state == .warning)
        #expect(findings(at: later)["TLS"]?.advice?.contains("restart") == true)
        #expect(try files() == before)
        try chmod("tls/authority-key.pem", 0o644)
        #expect(try bad("TLS").contains("authority-key.pem"))
        try chmod("tls/authority-key.pem", 0o600)
        try FileManager.default.removeItem(atPath: data + "/tls/server.pem")
        #expect(findings()["TLS"]?.state == .good)
    }

    @Test func `a sound installation has no findings and is not changed by the doctor`() throws {
        let before = try files()
        let found = findings()
        #expect(found.values.allSatisfy { $0.state != .bad }, "\(found)")
        #expect(found["lock"]?.finding.contains("free") == true)
        #expect(try files() == before)
    }

    @Test func `a running store is recognised and not disturbed`() throws {
        let held = try DataDirectory(path: data)
        let registry = try WorldRegistry(
            directory: held.worldsPath, keys: try held.openKeys(), wall: WallClock { Self.now },
            polls: .init(limit: 1))
        defer { registry.close() }
        let examination = Examination(directory: data, wall: WallClock { Self.now })
        #expect(examination.isInUse)
        #expect(examination.findings().allSatisfy { $0.state != .bad })
        _ = try registry.defaultWorld.database.write { try $0.next("app") }
        withExtendedLifetime(held) {}
    }

    @Test func `a missing data directory is reported with advice`() throws {
        let absent = Examination(directory: folder.path + "/none", wall: WallClock { Self.now })
        let found = absent.findings()
        #expect(found.first?.state == .bad)
        #expect(found.first?.advice?.contains("bodega serve --data") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
    }

    @Test func `a file and a directory without a store are one finding each`() throws {
        let empty = folder.path + "/empty"
        try FileManager.default.createDirectory(
            atPath: empty, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (place, said, advice) in [
            (empty, "does not hold a store", "bodega serve --data \(empty)"),
            (data + "/control-token", "is a file", "name the directory"),
            (data + "/control-token/below", "cannot examine", "name another"),
        ] {
            let found = Examination(directory: place, wall: WallClock { Self.now }).findings()
            let bad = found.filter { $0.state == .bad }
            #expect(bad.map(\.check) == ["data directory"])
            #expect(bad.first?.finding.contains(said) == true, "\(bad)")
            #expect(bad.first?.advice?.contains(advice) == true, "\(bad)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
    }

    @Test func `the advice about keys fits the fault`() throws {
        func advice() -> String { findings()["keys"]?.advice ?? "" }
        let key = "keys/sandbox-leaf.key"
        let own = try #require(FileManager.default.contents(atPath: "\(data)/\(key)"))
        try chmod(key, 0o644)
        #expect(advice() == "Run: chmod 600 \(data)/\(key)")
        try Data("no key".utf8).write(to: URL(fileURLWithPath: "\(data)/\(key)"))
        try chmod(key, 0o600)
        #expect(advice() == "Put this file back from a backup.")
        try own.write(to: URL(fileURLWithPath: "\(data)/\(key)"))
        try chmod(key, 0o600)
        #expect(findings()["keys"]?.state == .good)
        try FileManager.default.removeItem(atPath: "\(data)/\(key)")
        #expect(advice() == "Put the whole directory of keys back from a backup.")
        try FileManager.default.removeItem(atPath: data + "/keys")
        #expect(advice().hasPrefix("Put \(data)/keys back from a backup"))
        try FileManager.default.removeItem(atPath: data + "/worlds/default.sqlite")
        #expect(advice().hasPrefix("Start the store"))
    }

    @Test func `permissions that are too wide are reported`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
        #expect(findings()["data directory"]?.state == .warning)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data)
        try chmod("control-token", 0o644)
        #expect(try bad("control token").contains("other users"))
        try chmod("control-token", 0o600)
        try chmod("keys/sandbox-leaf.key", 0o640)
        #expect(try bad("keys").contains("sandbox-leaf.key"))
    }

    @Test(arguments: ["", "short\n"])
    func `a malformed control token is reported`(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: data + "/control-token"))
        _ = try bad("control token")
        try FileManager.default.removeItem(atPath: data + "/control-token")
        #expect(try bad("control token").contains("missing"))
    }

    @Test(arguments: [
        ("intermediate", "complete", "is not the key of production-intermediate.der"),
        (
            "signed-data-root", "complete-signed-data",
            "is not the key of signed-data-root-production.der"
        ),
        ("signed-data-intermediate", "complete-signed-data", "do not lead to the root"),
    ])
    func `missing, changed and foreign keys are reported`(
        key: String, marker: String, mismatch: String
    ) throws {
        let name = "production-\(key).key"
        let place = data + "/keys/" + name
        let own = try #require(FileManager.default.contents(atPath: place))
        try FileManager.default.removeItem(atPath: place)
        #expect(try bad("keys").contains("lacks \(name)"))
        try Data("no key".utf8).write(to: URL(fileURLWithPath: place))
        try chmod("keys/\(name)", 0o600)
        #expect(try bad("keys").contains("not the file that was written"))
        // Another key with its digest in the list, as somebody might mend it by hand.
        let foreign = try #require(
            FileManager.default.contents(atPath: data + "/keys/sandbox-\(key).key"))
        try foreign.write(to: URL(fileURLWithPath: place))
        try chmod("keys/\(name)", 0o600)
        let list = "\(data)/keys/\(marker)"
        let text = try String(contentsOfFile: list, encoding: .utf8)
            .replacingOccurrences(
                of: hexadecimal(sha256(Array(own))), with: hexadecimal(sha256(Array(foreign))))
        try Data(text.utf8).write(to: URL(fileURLWithPath: list))
        try chmod("keys/\(marker)", 0o600)
        #expect(try bad("keys").contains(mismatch))
    }

    @Test(arguments: ["transaction", "signed-data"])
    func `missing, truncated and foreign keys of what was added later are reported`(
        family: String
    ) throws {
        let name = "production-\(family)-leaf.key"
        let place = data + "/keys/" + name
        let own = try #require(FileManager.default.contents(atPath: place))
        let foreign = try #require(
            FileManager.default.contents(atPath: data + "/keys/sandbox-\(family)-leaf.key"))
        for bytes in [Data(own.prefix(100)), foreign] {
            try bytes.write(to: URL(fileURLWithPath: place))
            try chmod("keys/" + name, 0o600)
            #expect(try bad("keys").contains("\(name) is not the file that was written"))
        }
        try FileManager.default.removeItem(atPath: place)
        #expect(try bad("keys").contains("lacks \(name)"))
        // Without their marker they were never used; the next start makes them.
        try FileManager.default.removeItem(atPath: data + "/keys/complete-\(family)")
        #expect(findings()["keys"]?.state == .good)
    }

    @Test(arguments: ["root-sandbox.pem", "signed-data-root-production.pem"])
    func `a root certificate that openssl cannot read is reported`(name: String) throws {
        let root = data + "/keys/" + name
        try Data("-----BEGIN CERTIFICATE-----\n".utf8).write(to: URL(fileURLWithPath: root))
        #expect(findings()["roots"]?.state == .bad)
    }

    @Test func `a missing, damaged, older or newer database is reported`() throws {
        let path = data + "/worlds/default.sqlite"
        let whole = try #require(FileManager.default.contents(atPath: path))
        let url = URL(fileURLWithPath: path)
        try Data("no database at all, but long enough to be read".utf8).write(to: url)
        #expect(findings()["database"]?.state == .bad)
        var damaged = whole
        for offset in stride(from: 4_096, to: damaged.count, by: 512) {
            damaged.replaceSubrange(offset..<(offset + 16), with: Data(repeating: 0xA5, count: 16))
        }
        try damaged.write(to: url)
        #expect(findings()["database"]?.state == .bad)
        try whole.write(to: url)
        for (number, said) in [(25, "move the file away"), (9_999, "newer version")] {
            try FileManager.default.removeItem(atPath: path)
            try Database(
                path: path, durability: .full,
                schema: Schema(
                    oldest: number, tables: WorldSchema.current.tables, migrations: [])
            ).close()
            #expect(try bad("database").contains(said))
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(try bad("database").contains("missing"))
    }

    @Test func `a directory lock is recognised by inode and device`() {
        let list = """
            1: FLOCK  ADVISORY  WRITE 1234 08:11:5678 0 EOF
            2: POSIX  ADVISORY  WRITE 1234 08:11:99 0 EOF

            """
        #expect(LockLook.names(list, device: 0x811, inode: 5678))
        for (device, inode) in [(0x801, 5678), (0x911, 5678), (0x811, 678), (0x811, 99)]
            as [(dev_t, ino_t)]
        {
            #expect(LockLook.names(list, device: device, inode: inode) == false)
        }
        // Larger numbers stand apart in a device's: major 0x1234, minor 0x56789.
        let large: dev_t = 0x1000_5672_3489
        #expect(LockLook.names("1: FLOCK A W 1 1234:56789:7 0 EOF", device: large, inode: 7))
    }

    @Test func `a storefront unknown to this program is reported`() throws {
        let database = try Database(
            path: data + "/worlds/default.sqlite", durability: .full,
            schema: WorldSchema.current)
        _ = try database.write { scope in
            try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'a.b', x'', 'XYZ', 1, 1)
                """)
        }
        database.close()
        #expect(try bad("storefronts").contains("XYZ"))
    }

    @Test func `a broken session and a broken snapshot are named`() throws {
        for name in ["worlds/sessions/torn.sqlite", "worlds/snapshots/default/half.sqlite"] {
            let path = "\(data)/\(name)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try Data("no database at all, but long enough".utf8).write(
                to: URL(fileURLWithPath: path))
            let check = name.contains("sessions") ? "sessions" : "snapshots"
            #expect(findings()[check]?.state == .bad)
            #expect(
                findings()[check]?.finding.contains(check == "sessions" ? "torn" : "half") == true)
        }
    }

    @Test func `the doctor says how many sessions it left unexamined`() throws {
        #expect(findings()["snapshots"]?.finding == "0, all whole")
        let said = "2 more sessions were not examined"
        let folder = "\(data)/worlds/sessions"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for number in 1...Examination.sessionsReadMax + 2 {
            try FileManager.default.copyItem(
                atPath: "\(data)/worlds/default.sqlite", toPath: "\(folder)/s\(number).sqlite")
        }
        let found = findings()
        for check in ["snapshots", "content"] {
            #expect(found[check]?.state == .good)
            #expect(found[check]?.finding.contains(said) == true)
        }
    }

    @Test(arguments: [0, 4_200_000_000])
    func `an implausible clock is reported`(seconds: Int64) throws {
        #expect(try bad("clock", at: Timestamp(seconds: seconds)).contains("it shows"))
    }

    @Test func `a clock behind the last change is reported`() throws {
        let early = Timestamp(milliseconds: Self.now.milliseconds - 3_600_000)
        #expect(try bad("clock", at: early).contains("last change"))
    }

    @Test func `a port already in use is reported`() throws {
        let examination = Examination(directory: data, wall: WallClock { Self.now })
        #expect(examination.installation.freePort(host: "127.0.0.1", port: 0).state == .good)
        #expect(examination.installation.freePort(host: "no-address", port: 8_080).state == .bad)
    }
}
