import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Bytes are kept as long as any world, snapshot or request needs them, and no longer.
struct ContentSweepTests {
    private func worlds(
        _ content: ContentFixture, _ method: String, _ path: String, body: (any Encodable)? = nil
    ) async throws {
        let answer = try await content.store.control(
            method, "/control/v1/worlds" + path, body: body)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect((200..<300).contains(answer.status), "\(text)")
    }

    @Test func `content shared by worlds is kept until the last of them lets go of it`()
        async throws
    {
        let content = try await ContentFixture()
        try await worlds(content, "POST", "", body: MakeWorldBody(name: "one"))
        try await content.store.stock(world: "/t/one")
        try await content.upload(["a": "shared", "b": "mine"])
        // The bytes are there already: nothing is sent.
        let begun = try await content.begin(ContentFixture.body(["x": "shared"]), in: "/t/one")
        #expect(begun.missing.isEmpty)
        try await content.upload(["x": "shared"], in: "/t/one")
        #expect(try content.registry.sweepContent() == 0)
        _ = try await content.remove()
        content.store.move(byMilliseconds: ContentFixture.day)
        #expect(try content.registry.sweepContent() == 1)
        #expect(try content.kept() == [ContentFixture.digest("shared")])
        // Also while nobody has the session open.
        content.registry.closeIdle(milliseconds: 0)
        #expect(try content.registry.sweepContent() == 0)
        try await worlds(content, "DELETE", "/one")
        #expect(try content.registry.sweepContent() == 1)
        #expect(try content.kept().isEmpty)
    }

    @Test func `a snapshot keeps the content it needs and a restore brings it back`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        try await worlds(content, "POST", "/default/snapshots", body: MakeSnapshotBody(name: "s"))
        _ = try await content.remove()
        content.store.move(byMilliseconds: ContentFixture.day)
        // A write that forgets what was removed a day ago.
        _ = try await content.upload(["a": "two"], version: "1.1")
        #expect(try content.registry.sweepContent() == 0)
        try await worlds(
            content, "POST", "/default/restore", body: RestoreWorldBody(snapshot: "s"))
        #expect(try await content.versions() == ["1.0*"])
        let token = try await content.store.signIn()
        let id = try await content.store.buy(Samples.turbo, token: token).transactionId
        let answer = await content.file(id, "1.0", ContentFixture.digest("one"), token: token)
        #expect(try ContentFixture.text(answer) == "one")
        #expect(try content.registry.sweepContent() == 1)
        #expect(try content.kept() == [ContentFixture.digest("one")])
    }

    @Test func `a reset keeps or drops content along with the catalogue`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        try await worlds(
            content, "POST", "/default/reset", body: ResetWorldBody(keepCatalogue: true))
        #expect(try await content.versions() == ["1.0*"])
        #expect(try content.registry.sweepContent() == 0)
        try await worlds(
            content, "POST", "/default/reset", body: ResetWorldBody(keepCatalogue: false))
        #expect(try content.registry.sweepContent() == 1)
    }

    @Test func `deleting a product deletes its content`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        let text = Samples.catalogue.replacingOccurrences(of: Samples.turbo, with: "other.product")
        let answer = await content.store.send(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/catalog",
            token: TestStore.controlToken, body: Array(text.utf8))
        try #require(answer.status == 200)
        #expect(try await content.versions().isEmpty)
        #expect(try content.registry.sweepContent() == 1)
    }

    @Test func `a sweep spares the content that a request is using`() async throws {
        let content = try await ContentFixture()
        let digest = ContentFixture.digest("one")
        try await content.upload(["a": "one"])
        _ = try await content.remove()
        content.store.move(byMilliseconds: ContentFixture.day)
        let store = content.registry.content
        // Begun before the sweep, in the middle of it, and ended in the middle of it.
        #expect(try store.holding([digest]) { try content.registry.sweepContent() } == 0)
        let inTheMiddle = try store.sweep {
            store.holding([digest]) {}
            return []
        }
        #expect(inTheMiddle == 0)
        #expect(try store.sweep { nil } == 0, "not while the needs cannot be told")
        #expect(try content.kept() == [digest])
        #expect(try content.registry.sweepContent() == 1)
    }

    @Test func `only one sweep runs at a time and an unreadable file stops it`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        let store = content.registry.content
        let inner = try store.sweep { () throws -> Set<String>? in
            #expect(try store.sweep { [] } == 0)
            return nil
        }
        #expect(inner == 0)
        _ = try await content.remove()
        content.store.move(byMilliseconds: ContentFixture.day)
        try await worlds(content, "POST", "/default/snapshots", body: MakeSnapshotBody(name: "s"))
        let files = content.registry.files
        let name = try #require(WorldName("s"))
        try Data("broken".utf8).write(
            to: URL(fileURLWithPath: files.snapshot(name, of: .default)))
        #expect(throws: DatabaseError.self) { try content.registry.sweepContent() }
        #expect(try content.kept().count == 1)
        try await worlds(content, "DELETE", "/default/snapshots/s")
        #expect(try content.registry.sweepContent() == 1)
    }

    @Test func `a snapshot too old to be restored needs no content`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        try await worlds(content, "POST", "/default/snapshots", body: MakeSnapshotBody(name: "new"))
        _ = try await content.remove()
        let folder = content.registry.files.snapshots(of: .default)
        try FileManager.default.removeItem(atPath: folder + "/new.sqlite")
        let older = try Database(
            path: folder + "/old.sqlite", durability: .full,
            schema: Schema(oldest: 25, tables: [], migrations: []))
        older.close()
        content.store.move(byMilliseconds: ContentFixture.day)
        #expect(try content.registry.sweepContent() == 1)
    }

    @Test func `the doctor reports missing and truncated content`() async throws {
        let folder = TemporaryFolder()
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let directory = try DataDirectory(path: folder.path + "/data")
        let registry = try WorldRegistry(
            directory: directory.worldsPath, contentDirectory: directory.contentPath,
            keys: try directory.openKeys(), wall: WallClock { now }, polls: .init(limit: 1))
        let file = ContentFile(path: "a/b", byteCount: 3, digest: ContentFixture.digest("one"))
        _ = try registry.content.add(Array("one".utf8), at: 0, to: file)
        let package = try ContentPackage(version: "1.0", files: [file])
        _ = try registry.defaultWorld.database.write { scope in
            let app = try scope.saveApp(
                bundleID: "com.example", catalogue: [], number: nil, storefront: .default, now: now)
            try scope.saveUpload(
                "u", of: package, for: .product(ProductID("p"), in: app), kind: nil, realNow: now)
            try scope.addContentVersion(fromUpload: "u", now: now)
        }
        registry.close()
        func finding() throws -> Finding {
            let examination = Examination(directory: directory.path, wall: WallClock { now })
            return try #require(examination.findings().first { $0.check == "content" })
        }
        #expect(try finding() == .good("content", "1 files, 0 megabytes, all present"))
        let place = "\(directory.contentPath)/\(file.digest)"
        try Data("on".utf8).write(to: URL(fileURLWithPath: place))
        #expect(try finding().finding == "p 1.0 a/b of default: 2 of 3 bytes are present")
        try FileManager.default.removeItem(atPath: place)
        #expect(try finding().state == .bad)
        #expect(try finding().finding == "p 1.0 a/b of default: is missing")
    }
}
