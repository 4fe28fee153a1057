import Foundation
import StoreWire
import Testing

@testable import StoreKit

/// What goes wrong on the way of content: lines that break, a store that lies, an account that
/// leaves, a disk that is not as it should be.
@Suite struct DownloadTroubleTests {
    typealias Launch = DownloadTests.Launch

    /// Buys and starts; the download.
    static func begin(
        _ shop: Shop, settings: [String: String] = [:]
    ) async throws -> (launch: Launch, download: SKDownload) {
        let launch = try Launch(shop, settings: settings)
        launch.app.buy(Shop.turbo)
        return (launch, try await launch.download(shop))
    }

    static func sentence(_ download: SKDownload) -> String {
        download.error?.localizedDescription ?? "none"
    }

    // MARK: - The line

    @Test(
        arguments: ["content", "part"],
        [
            FakeStore.Fault.dropBefore, .dropAfter, .status(500), .status(503), .nonsense,
            .unauthorized,
        ])
    func `a broken connection only delays a download`(kind: String, fault: FakeStore.Fault)
        async throws
    {
        let shop = try DownloadTests.shop()
        shop.store.next(kind, fault, fault)
        let (_, download) = try await Self.begin(shop)
        try await shop.sees("finished") { download.state == .finished }
        try DownloadTests.expectLevels(download)
    }

    @Test func `a download fails when the store stays away and can be resumed`() async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.failing = ["part"] }
        let (launch, download) = try await Self.begin(shop)
        try await shop.sees("failed") { download.state == .failed }
        #expect(shop.store.count("part") == DownloadLoader.triesMax)
        #expect(download.error is SKError && Self.sentence(download) == "trouble")
        shop.store.state.withLock { $0.failing = [] }
        launch.app.queue.resume([download])
        try await shop.sees("finished") { download.state == .finished }
        #expect(download.error == nil)
        try DownloadTests.expectLevels(download)
    }

    // MARK: - The version

    @Test func `a download in progress completes the version it began`() async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.bytesMax = 600_000 }
        let (launch, begun) = try await Self.begin(shop)
        try await shop.sees("some of it") { begun.progress > 0 }
        launch.leave()
        shop.store.state.withLock { state in
            state.content.kept["1.0"] = state.content.files
            state.content.files = ["new": [1]]
            state.content.version = "2.0"
            state.content.bytesMax = nil
            state.transactions[0].downloads = state.content.offer(of: Shop.turbo)
        }
        let again = try Launch(shop)
        let download = try await again.download(shop)
        #expect(download.contentVersion == "1.0")
        try await shop.sees("finished") { download.state == .finished }
        try DownloadTests.expectLevels(download)
    }

    @Test func `when the begun version is removed, the newest arrives and reuses common files`()
        async throws
    {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.bytesMax = 1_500_100 }
        let (launch, begun) = try await Self.begin(shop)
        try await shop.sees("some of it") { begun.progress > 0.9 }
        launch.leave()
        let big = FakeContent.digest(try #require(DownloadTests.levels["maps/big.bin"])).prefix(8)
        let newest = DownloadTests.levels.filter { $0.key != "index.json" }
            .merging(["new/one": [1, 2, 3]]) { $1 }
        shop.store.state.withLock { state in
            state.content.files = newest
            state.content.version = "2.0"
            state.content.bytesMax = nil
            state.content.partsGiven = []
        }
        let again = try Launch(shop)
        let download = try await again.download(shop)
        try await shop.sees("finished") { download.state == .finished }
        #expect(download.contentVersion == "2.0" && download.expectedContentLength == 1_501_003)
        var found = try DownloadTests.files(below: try #require(download.contentURL?.path))
        found["ContentInfo.plist"] = nil
        #expect(found == Dictionary(uniqueKeysWithValues: newest.map { ("Contents/\($0)", $1) }))
        let given = shop.store.state.withLock { $0.content.partsGiven }
        #expect(
            !given.isEmpty && !given.contains { $0.hasPrefix(big) }, "what was there came twice")
    }

    @Test func `a download fails when the store no longer has the content`() async throws {
        let shop = try DownloadTests.shop()
        let launch = try Launch(shop, starts: false)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        shop.store.state.withLock { $0.content.files = [:] }
        launch.app.queue.start([download])
        try await shop.sees("failed") { download.state == .failed }
        #expect((download.error as? SKError)?.code == .storeProductNotAvailable)
    }

    // MARK: - Lies

    @Test func `a corrupted file is downloaded once more`() async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.lie = .otherBytes(times: 1) }
        let (_, download) = try await Self.begin(shop)
        try await shop.sees("finished") { download.state == .finished }
        try DownloadTests.expectLevels(download)
    }

    @Test(arguments: [
        FakeContent.Lie.otherBytes(times: 1_000), .less, .more, .otherRange,
    ])
    func `bytes that do not match the manifest are never delivered`(
        lie: FakeContent.Lie
    ) async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.lie = lie }
        let (_, download) = try await Self.begin(shop)
        try await shop.sees("failed") { download.state == .failed }
        #expect(download.contentURL == nil && download.progress <= 1)
        #expect(!Self.sentence(download).isEmpty)
        let (path, name) = (shop.home + "/Caches", try #require(shop.caches.first))
        #expect(!FileManager.default.fileExists(atPath: "\(path)/\(name)/content"))
    }

    static let good = ContentFileBody(path: "a", size: 1, sha256: FakeContent.digest([1]))

    static func list(
        _ files: [ContentFileBody], length: Int64? = nil, of product: String = Shop.turbo,
        version: String = "1.0"
    ) -> ContentManifestBody {
        ContentManifestBody(
            contentIdentifier: product, contentVersion: version,
            contentLength: length ?? files.reduce(0) { $0 &+ $1.size }, files: files)
    }

    static func named(_ path: String, size: Int64 = 1) -> ContentFileBody {
        ContentFileBody(path: path, size: size, sha256: good.sha256)
    }

    static let badLists: [ContentManifestBody] =
        [
            "../a", "/etc/a", "a/../../b", "a//b", "", ".", "..", "a/.", "a\u{0}b", "a\nb",
            "a/", String(repeating: "a", count: 256), String(repeating: "a/", count: 600) + "b",
            String(repeating: "a/", count: 50) + "b",
        ].map { list([named($0)]) } + [
            list([good, good]), list([named("a"), named("a/b")]),
            list([named("ContentInfo.plist"), named("Contents"), named("Contents/a")]),
            list([named("a", size: -1), named("b", size: 2)]),
            list([named("a", size: .max), named("b", size: .max)]),
            list([named("a", size: (2 << 30) + 1)]),
            list([good], length: 2), list([good], of: "com.example.other"),
            list([good], version: "../1"), list([good], version: ""),
            list([ContentFileBody(path: "a", size: 1, sha256: "../../x")]),
            list([ContentFileBody(path: "a", size: 1, sha256: String(repeating: "A", count: 64))]),
            list((0...10_000).map { named("\($0)") }),
        ]

    @Test(arguments: badLists.indices)
    func `a manifest with unsafe paths or contradictions is refused as a whole`(
        row: Int
    ) async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.list = Self.badLists[row] }
        let (_, download) = try await Self.begin(shop)
        try await shop.sees("failed") { download.state == .failed }
        #expect(Self.sentence(download).hasPrefix("The store's list of the content cannot be used"))
        #expect(shop.store.count("part") == 0)
        let name = try #require(shop.caches.first)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(shop.home)/Caches/\(name)")
                == [])
    }

    // MARK: - The disk

    @Test(arguments: ["Caches", "folder", "partial", "inside", "file"])
    func `a download does not follow a symbolic link in its way`(place: String) async throws {
        let shop = try DownloadTests.shop()
        let target = shop.home + "-target"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: target) }
        let launch = try Launch(shop, starts: false)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        let name = DownloadTroubleTests.name(shop)
        let folder = "\(shop.home)/Caches/\(Journal.fileName(of: name))"
        let contents = folder + "/partial/Contents"
        let (link, above) =
            switch place {
            case "Caches": (shop.home + "/Caches", shop.home)
            case "folder": (folder, shop.home + "/Caches")
            case "partial": (folder + "/partial", folder)
            case "inside": (contents + "/maps", contents)
            default: (contents + "/index.json", contents)
            }
        try FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
        let end = place == "file" ? target + "/file" : target
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: end)
        launch.app.queue.start([download])
        try await shop.sees("the end") { [.failed, .finished].contains(download.state) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == [])
        // What stands where the package's own files belong is taken away.
        let isOurs = place == "inside" || place == "file"
        #expect(download.state == (isOurs ? .finished : .failed), "\(Self.sentence(download))")
        launch.app.queue.cancel([download])
    }

    static func name(_ shop: Shop) -> TransactionName {
        TransactionName(worldId: shop.store.worldId, transactionId: "2000000000000001")
    }

    @Test func `removing content does not follow symbolic links`() async throws {
        let shop = try DownloadTests.shop()
        let (launch, download) = try await Self.begin(shop)
        try await shop.sees("finished") { download.state == .finished }
        let target = shop.home + "-kept"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: target) }
        try Data("kept".utf8).write(to: URL(fileURLWithPath: target + "/file"))
        try FileManager.default.createSymbolicLink(
            atPath: try #require(download.contentURL?.path) + "/Contents/link",
            withDestinationPath: target)
        launch.app.queue.finishTransaction(
            try #require(launch.ear.heard.transactions.first))
        try await shop.sees("nothing left") { shop.caches == [] }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["file"])
    }

    @Test func `files corrupted between launches are downloaded again`() async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.bytesMax = 1_500_100 }
        let (first, begun) = try await Self.begin(shop)
        try await shop.sees("all but the last file") { begun.progress > 0.99 }
        // Nothing of the first launch is at work any more when the files are spoilt.
        first.app.queue.pause([begun])
        try await shop.sees("paused") { begun.state == .paused }
        first.leave()
        let name = try #require(shop.caches.first)
        let contents = "\(shop.home)/Caches/\(name)/partial/Contents"
        for file in ["index.json", "maps/big.bin"] {
            let handle = try #require(FileHandle(forUpdatingAtPath: "\(contents)/\(file)"))
            try handle.write(contentsOf: Data([0xFF]))
            try handle.close()
        }
        try Data([UInt8](repeating: 1, count: 5_000)).write(
            to: URL(fileURLWithPath: contents + "/maps/small.bin"))
        try Data("alien".utf8).write(to: URL(fileURLWithPath: contents + "/alien"))
        shop.store.state.withLock { $0.content.bytesMax = nil }
        let second = try Launch(shop)
        let download = try await second.download(shop)
        second.app.queue.resume([download])
        try await shop.sees("finished") { download.state == .finished }
        try DownloadTests.expectLevels(download)
    }

    // MARK: - Who and where

    @Test func `signing in as another account stops a download, which later continues`()
        async throws
    {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.bytesMax = 100_000 }
        let (launch, download) = try await Self.begin(shop)
        try await shop.sees("some of it") { download.progress > 0 }
        let parts = try launch.app.engine.parts.get()
        try parts.connection.signIn(
            StoreConfiguration.Account(name: "bob", password: FakeStore.password))
        shop.store.state.withLock { $0.content.bytesMax = nil }
        try await shop.sees("waiting") { download.state == .waiting }
        #expect(download.progress > 0)
        try parts.connection.signIn(
            StoreConfiguration.Account(name: "ada", password: FakeStore.password))
        try await shop.sees("finished") { download.state == .finished }
        try DownloadTests.expectLevels(download)
    }

    @Test func `content of another world waits for it, and no other store is asked for it`()
        async throws
    {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.bytesMax = 100_000 }
        let (first, begun) = try await Self.begin(shop)
        try await shop.sees("some of it") { begun.progress > 0 }
        first.leave()
        let other = try Shop(afterwards: shop)
        other.store.state.withLock { $0.content.files = DownloadTests.levels }
        let second = try Launch(other, starts: false)
        second.app.buy(Shop.turbo)
        let download = try await second.download(other)
        try await second.app.quiet()
        #expect(download.state == .waiting && download.progress == 0)
        #expect(other.store.count("content") == 0 && other.caches.count == 1)
        second.app.queue.start([download])
        try await other.sees("finished") { download.state == .finished }
        #expect(other.caches.count == 2)
    }

    @Test func `of two processes one downloads and both have the content`() async throws {
        let shop = try DownloadTests.shop()
        shop.store.state.withLock { $0.content.bytesMax = 100_000 }
        let (_, first) = try await Self.begin(shop)
        try await shop.sees("some of it") { first.progress > 0 }
        let second = try Launch(shop)
        let download = try await second.download(shop)
        try await second.app.quiet(looksAtHome: true)
        #expect(download.state == .waiting)
        shop.store.state.withLock { $0.content.bytesMax = nil }
        try await shop.sees("both finished") {
            first.state == .finished && download.state == .finished
        }
        #expect(first.contentURL == download.contentURL)
        try DownloadTests.expectLevels(download)
        let asked = shop.store.state.withLock { $0.content.partsGiven }
        #expect(Set(asked).count == asked.count, "a part came twice")
    }

    // MARK: - Networks that cost

    @Test func `held downloads wait for an unmetered network`() async throws {
        let shop = try DownloadTests.shop()
        let file = shop.home + "-network"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("metered\n".utf8).write(to: URL(fileURLWithPath: file))
        shop.store.state.withLock { $0.content.bytesMax = 100_000 }
        let settings = ["STOREKIT_HOLD_METERED": "1", "STOREKIT_NETWORK": file]
        let (_, download) = try await Self.begin(shop, settings: settings)
        try await Task.sleep(for: .milliseconds(300))
        #expect(download.state == .waiting && shop.store.count("content") == 0)
        try Data("unmetered\n".utf8).write(to: URL(fileURLWithPath: file))
        try await shop.sees("some of it") { download.progress > 0 }
        try FileManager.default.removeItem(atPath: file)
        try await Task.sleep(for: .milliseconds(600))
        shop.store.state.withLock { $0.content.bytesMax = nil }
        try await shop.sees("held again") { download.state == .waiting }
        try Data("unmetered".utf8).write(to: URL(fileURLWithPath: file))
        try await shop.sees("finished") { download.state == .finished }
        try DownloadTests.expectLevels(download)
    }
}
