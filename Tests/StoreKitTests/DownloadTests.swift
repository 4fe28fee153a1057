import Foundation
import StoreWire
import Testing

@testable import StoreKit

/// Content comes with a purchase: from the first request to the files, whatever happens between.
@Suite struct DownloadTests {
    static let levels: [String: [UInt8]] = [
        "index.json": Array("{}".utf8), "empty": [],
        "maps/big.bin": (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ ($0 >> 10)) },
        "maps/small.bin": [UInt8](repeating: 9, count: 1_000),
    ]

    /// A shop whose turbo brings content.
    static func shop() throws -> Shop {
        let shop = try Shop()
        shop.store.state.withLock { $0.content.files = levels }
        return shop
    }

    struct Launch {
        let app: App
        let ear: DownloadEar

        /// A launch with an observer of downloads.
        init(_ shop: Shop, starts: Bool = true, settings: [String: String] = [:]) throws {
            app = try shop.launch(extra: settings)
            ear = DownloadEar(starts: starts)
            app.queue.add(ear)
            shop.keep(app)
            shop.keep(ear)
        }

        func leave() { app.queue.remove(ear) }

        func download(_ shop: Shop) async throws -> SKDownload {
            try await shop.sees("the transaction") { !ear.heard.transactions.isEmpty }
            return try #require(ear.heard.transactions.first?.downloads.first)
        }
    }

    static func files(below path: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var isFolder: ObjCBool = false
            let place = "\(path)/\(name)"
            _ = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
            if !isFolder.boolValue {
                files[name] = Array(try #require(FileManager.default.contents(atPath: place)))
            }
        }
        return files
    }

    static func expectLevels(_ download: SKDownload) throws {
        #expect(download.state == .finished && download.progress == 1)
        let path = try #require(download.contentURL?.path)
        var found = try files(below: path)
        let removed = found.removeValue(forKey: "ContentInfo.plist")
        let information = try #require(removed)
        let list =
            try PropertyListSerialization.propertyList(
                from: Data(information), options: [], format: nil) as? [String: String]
        #expect(
            list == ["IAPProductIdentifier": Shop.turbo, "ContentVersion": download.contentVersion])
        #expect(
            found == Dictionary(uniqueKeysWithValues: levels.map { ("Contents/\($0)", $1) }))
    }

    // MARK: - The usual way

    @Test func `content arrives complete, in Apple's layout, below the caches folder`() async throws
    {
        let shop = try Self.shop()
        let launch = try Launch(shop, starts: false)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        #expect(launch.ear.heard.countsAtFirst == [1])
        #expect(download.state == .waiting && download.contentURL == nil)
        #expect(download.contentIdentifier == Shop.turbo && download.contentVersion == "1.0")
        #expect(download.expectedContentLength == 1_501_002 && download.progress == 0)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        #expect(download.transaction === launch.ear.heard.transactions.first)
        try await launch.app.quiet()
        #expect(shop.store.count("content") == 0, "nothing comes before the app asks")
        launch.app.queue.start([download])
        launch.app.queue.start([download])
        try await shop.sees("finished") { download.state == .finished }
        try Self.expectLevels(download)
        #expect(download.contentURL?.path.hasPrefix(shop.home + "/Caches/") == true)
        try await shop.sees("its news") { launch.ear.heard.path == [.active, .finished] }
        #expect(!launch.ear.heard.wasOffMain)
        #expect(launch.ear.heard.progress == launch.ear.heard.progress.sorted())
        #expect(shop.store.count("content") == 1, "the second start does nothing")
    }

    @Test func `a product without content has no downloads`() async throws {
        let shop = try Self.shop()
        let launch = try Launch(shop)
        launch.app.buy(Shop.fuel)
        try await shop.sees("the purchase") { launch.ear.heard.countsAtFirst == [0] }
        try await launch.app.quiet()
        #expect(shop.store.count("content") == 0 && launch.ear.heard.states.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: shop.home + "/Caches"))
    }

    @Test func `a package already in Apple's layout keeps it`() async throws {
        let shop = try Self.shop()
        let files = ["ContentInfo.plist": Array("mine".utf8), "Contents/a": [UInt8(1)]]
        shop.store.state.withLock { $0.content.files = files }
        let launch = try Launch(shop)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        try await shop.sees("finished") { download.state == .finished }
        #expect(try Self.files(below: try #require(download.contentURL?.path)) == files)
    }

    // MARK: - Pause, cancel, finish

    @Test func `a paused download keeps its bytes and resumes from there`() async throws {
        let shop = try Self.shop()
        shop.store.state.withLock { $0.content.bytesMax = 600_000 }
        let launch = try Launch(shop)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        try await shop.sees("the first part") { download.progress > 0.1 }
        launch.app.queue.pause([download])
        try await shop.sees("paused") { download.state == .paused }
        let asked = shop.store.state.withLock { state in
            state.content.bytesMax = nil
            return state.content.partsGiven
        }
        #expect(download.progress > 0 && download.progress < 1 && download.contentURL == nil)
        launch.app.queue.pause([download])
        launch.app.queue.resume([download])
        try await shop.sees("finished") { download.state == .finished }
        try Self.expectLevels(download)
        let all = shop.store.state.withLock { $0.content.partsGiven }
        #expect(
            Set(all.dropFirst(asked.count)).isDisjoint(with: asked), "what was there came twice")
        try await shop.sees("its news") { launch.ear.heard.states.last == .finished }
        #expect(
            launch.ear.heard.path.filter { $0 != .active } == [.paused, .waiting, .finished])
    }

    @Test func `a cancelled download leaves no file and can be started again`() async throws {
        let shop = try Self.shop()
        shop.store.state.withLock { $0.content.bytesMax = 100_000 }
        let launch = try Launch(shop)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        try await shop.sees("some of it") { download.progress > 0 }
        launch.app.queue.cancel([download])
        try await shop.sees("cancelled") { download.state == .cancelled }
        try await shop.sees("nothing left") { shop.caches == [] }
        #expect(shop.journalFiles == [] && download.progress == 0)
        #expect(launch.ear.heard.transactions.first?.downloads.count == 1)
        shop.store.state.withLock { $0.content.bytesMax = nil }
        launch.app.queue.resume([download])
        try await launch.app.quiet()
        #expect(download.state == .cancelled, "only start brings it back")
        launch.app.queue.start([download])
        try await shop.sees("finished") { download.state == .finished }
        try Self.expectLevels(download)
    }

    @Test func `an observer added again hears of download changes it missed`()
        async throws
    {
        let shop = try Self.shop()
        let launch = try Launch(shop, starts: false)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        launch.leave()
        launch.app.queue.cancel([download])
        try await shop.sees("cancelled") { download.state == .cancelled }
        let later = DownloadEar(starts: false)
        shop.keep(later)
        launch.app.queue.add(later)
        try await shop.sees("its news") { later.heard.states == [.cancelled] }
        #expect(launch.ear.heard.states.isEmpty && !later.heard.wasOffMain)
    }

    @Test(arguments: [true, false])
    func `finishing the transaction removes the download and its files`(
        isWhole: Bool
    ) async throws {
        let shop = try Self.shop()
        shop.store.state.withLock { $0.content.bytesMax = isWhole ? nil : 100_000 }
        let launch = try Launch(shop)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        try await shop.sees("enough") {
            isWhole ? download.state == .finished : download.progress > 0
        }
        let transaction = try #require(launch.ear.heard.transactions.first)
        launch.app.queue.finishTransaction(transaction)
        try await shop.sees("removed") { launch.ear.heard.removedCount == 1 }
        #expect(transaction.downloads.isEmpty && download.contentURL == nil)
        #expect(download.state == (isWhole ? .finished : .cancelled))
        try await shop.sees("nothing left") { shop.caches == [] }
        try await shop.sees("the journal empty") { shop.journalFiles == [] }
        #expect(
            launch.ear.heard.states.last == (isWhole ? .finished : .cancelled),
            "observers hear of it before the transaction is removed")
        let asked = shop.store.count("part")
        launch.app.queue.start([download])
        try await launch.app.quiet()
        #expect(shop.store.count("part") == asked)
    }

    // MARK: - The next launch

    @Test func `a download in progress resumes at the next launch`() async throws {
        let shop = try Self.shop()
        shop.store.state.withLock { $0.content.bytesMax = 600_000 }
        let first = try Launch(shop)
        first.app.buy(Shop.turbo)
        let begun = try await first.download(shop)
        try await shop.sees("the first part") { begun.progress > 0.1 }
        first.leave()
        shop.store.state.withLock { $0.content.bytesMax = nil }
        let asked = shop.store.state.withLock { $0.content.partsGiven }
        let second = try Launch(shop, starts: false)
        let download = try await second.download(shop)
        try await shop.sees("finished") { download.state == .finished }
        try Self.expectLevels(download)
        let later = shop.store.state.withLock { $0.content.partsGiven.dropFirst(asked.count) }
        #expect(Set(later).isDisjoint(with: asked), "what was there came twice")
        second.leave()
        let third = try Launch(shop, starts: false)
        try Self.expectLevels(try await third.download(shop))
    }

    @Test func `a paused download stays paused with its bytes after a relaunch`() async throws {
        let shop = try Self.shop()
        shop.store.state.withLock { $0.content.bytesMax = 600_000 }
        let first = try Launch(shop)
        first.app.buy(Shop.turbo)
        let begun = try await first.download(shop)
        try await shop.sees("some of it") { begun.progress > 0 }
        first.app.queue.pause([begun])
        try await shop.sees("paused") { begun.state == .paused }
        first.leave()
        let second = try Launch(shop, starts: false)
        let download = try await second.download(shop)
        #expect(download.state == .paused && download.progress > 0)
        try await second.app.quiet()
        #expect(download.state == .paused)
        shop.store.state.withLock { $0.content.bytesMax = nil }
        second.app.queue.resume([download])
        try await shop.sees("finished") { download.state == .finished }
        try Self.expectLevels(download)
    }

    @Test(arguments: ["", "/Contents"])
    func `content the app moved away is downloaded again on request`(
        part: String
    ) async throws {
        let shop = try Self.shop()
        let first = try Launch(shop)
        first.app.buy(Shop.turbo)
        let download = try await first.download(shop)
        try await shop.sees("finished") { download.state == .finished }
        try FileManager.default.moveItem(
            atPath: try #require(download.contentURL?.path) + part, toPath: shop.home + "/mine")
        first.leave()
        let second = try Launch(shop, starts: false)
        let again = try await second.download(shop)
        #expect(again.state == .waiting && again.contentURL == nil)
        second.app.queue.start([again])
        try await shop.sees("finished") { again.state == .finished }
        try Self.expectLevels(again)
    }

    @Test func `files left by a finished transaction are removed at the next launch`() async throws
    {
        let shop = try Self.shop()
        let first = try Launch(shop)
        first.app.buy(Shop.turbo)
        let download = try await first.download(shop)
        try await shop.sees("finished") { download.state == .finished }
        first.leave()
        shop.store.finishElsewhere("2000000000000001")
        for name in ["2000000000000002-\(UUID().uuidString)", "Levels", "2-levels"] {
            try FileManager.default.createDirectory(
                atPath: shop.home + "/Caches/\(name)", withIntermediateDirectories: false)
        }
        let second = try Launch(shop, starts: false)
        try await shop.sees("nothing left but the app's own") {
            Set(shop.caches) == ["Levels", "2-levels"] && shop.journalFiles == []
        }
        #expect(second.ear.heard.transactions.isEmpty)
    }

    @Test func `a download survives another device finishing its transaction`() async throws {
        let shop = try Self.shop()
        shop.store.state.withLock { $0.content.bytesMax = 100_000 }
        let launch = try Launch(shop)
        launch.app.buy(Shop.turbo)
        let download = try await launch.download(shop)
        try await shop.sees("some of it") { download.progress > 0 }
        shop.store.finishElsewhere("2000000000000001")
        shop.store.state.withLock { $0.content.bytesMax = nil }
        try await shop.sees("removed") { launch.ear.heard.removedCount == 1 }
        try await shop.sees("nothing left") { shop.caches == [] && shop.journalFiles == [] }
        #expect(launch.ear.heard.transactions.first?.downloads.isEmpty == true)
    }
}

extension Shop {
    /// What stands in the caches folder.
    var caches: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: home + "/Caches")) ?? []
    }
}
