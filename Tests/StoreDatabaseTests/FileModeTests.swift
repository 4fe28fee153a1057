import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

/// Who may read the files of a database.
struct FileModeTests {
    private let folder = TemporaryFolder()
    private let schema = Schema(
        oldest: 1, tables: ["CREATE TABLE sale (id BIGINT PRIMARY KEY)"], migrations: [])

    init() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[
            .posixPermissions] as? Int
    }

    private func open() throws -> Database {
        try Database(path: folder.path + "/w.sqlite", durability: .full, schema: schema)
    }

    @Test func `a database in a folder open to others is its owner's alone`() throws {
        let database = try open()
        _ = try database.write { try $0.execute("INSERT INTO sale (id) VALUES (1)") }
        try database.copy(to: folder.path + "/copy.sqlite")
        for name in ["w.sqlite", "w.sqlite-wal", "w.sqlite-shm", "copy.sqlite"] {
            #expect(try mode(name) == 0o600, "\(name)")
        }
        database.close()
    }

    @Test func `an older database that others may read is closed to them when it is opened`()
        throws
    {
        let first = try open()
        // What a crash leaves: all three files.
        for name in ["w.sqlite", "w.sqlite-wal", "w.sqlite-shm"] {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/\(name)", toPath: "\(folder.path)/old-\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: "\(folder.path)/old-\(name)")
        }
        first.close()
        let second = try Database(
            path: folder.path + "/old-w.sqlite", durability: .full, schema: schema)
        defer { second.close() }
        for name in ["old-w.sqlite", "old-w.sqlite-wal", "old-w.sqlite-shm"] {
            #expect(try mode(name) == 0o600, "\(name)")
        }
    }
}
