import Foundation
import StoreKit
import TestSupport
import Testing

@testable import RocketCar

/// Content that the store keeps comes into the app's folder before a purchase is finished.
@Suite final class StoreContentsTests {
    /// A download whose look the test sets.
    final class Download: SKDownload, @unchecked Sendable {
        var look = SKDownloadState.waiting
        var place: URL?
        var bytes: Int64 = 1_000
        var share: Float = 0
        let name: String
        weak var purchase: Transaction?

        init(_ name: String) {
            self.name = name
            super.init()
        }

        override var state: SKDownloadState { look }
        override var expectedContentLength: Int64 { bytes }
        override var progress: Float { share }
        override var contentIdentifier: String { name }
        override var contentVersion: String { "1.0" }
        override var contentURL: URL? { place }
        override var transaction: SKPaymentTransaction { purchase ?? SKPaymentTransaction() }
    }

    final class Transaction: SKPaymentTransaction, @unchecked Sendable {
        let contents: [Download]

        init(_ contents: [Download]) {
            self.contents = contents
            super.init()
            for content in contents { content.purchase = self }
        }

        override var downloads: [SKDownload] { contents }
        override var transactionIdentifier: String? { "7" }
    }

    private let folder = TemporaryFolder()
    private let garage: Garage
    private var started: [String] = []
    private var heard: [News] = []
    private var ends: [Bool] = []
    private lazy var contents = StoreContents(
        garage: garage, askAboveBytes: 5_000, report: { [unowned self] in heard.append($0) },
        start: { [unowned self] in started += $0.map(\.contentIdentifier) })

    init() throws {
        garage = try Garage(environment: ["ROCKETCAR_HOME": folder.path])
    }

    private func bring(_ transaction: Transaction) {
        contents.bring(transaction) { [unowned self] in ends.append($0) }
    }

    /// The download is whole, with one file in it.
    private func finish(_ download: Download, text: String = "levels") throws {
        let place = URL(fileURLWithPath: folder.file("loaded-\(UUID().uuidString)"))
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place.appendingPathComponent("levels.txt"))
        download.place = place
        download.look = .finished
        contents.moved([download])
    }

    private func kept(_ name: String) -> String? {
        let file = garage.storeContentFolder(product: name).appendingPathComponent("levels.txt")
        return FileManager.default.contents(atPath: file.path).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func `a purchase without content is delivered at once`() {
        bring(Transaction([]))
        #expect(ends == [true] && started == [])
    }

    @Test func `content is downloaded, moved when complete, and not downloaded again`() throws {
        let download = Download("moon")
        let purchase = Transaction([download])
        bring(purchase)
        #expect(started == ["moon"] && ends == [])
        download.look = .active
        contents.moved([download])
        #expect(ends == [])
        try finish(download)
        #expect(ends == [true])
        #expect(kept("moon") == "levels")
        contents.moved([download])
        #expect(ends == [true], "it ends once")
        let again = Transaction([Download("moon")])
        bring(again)
        #expect(ends == [true, true] && started == ["moon"])
    }

    @Test func `content already complete is moved without a download`() throws {
        let download = Download("moon")
        let purchase = Transaction([download])
        try finish(download)
        bring(purchase)
        #expect(ends == [true] && started == [] && kept("moon") == "levels")
    }

    @Test func `a purchase is delivered once all its content is there`() throws {
        let pieces = [Download("moon"), Download("mars")]
        let purchase = Transaction(pieces)
        bring(purchase)
        try finish(pieces[1])
        #expect(ends == [])
        try finish(pieces[0])
        #expect(ends == [true] && purchase.contents.count == 2)
    }

    @Test func `new content replaces the old`() throws {
        let place = garage.storeContentFolder(product: "moon")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: place.appendingPathComponent("levels.txt"))
        let download = Download("moon")
        let purchase = Transaction([download])
        bring(purchase)
        try finish(download, text: "new")
        #expect(kept("moon") == "new" && purchase.contents.count == 1)
    }

    @Test func `a large download waits for the customer`() {
        let download = Download("moon")
        download.bytes = 5_001
        let purchase = Transaction([download])
        bring(purchase)
        #expect(started == [] && ends == [])
        let product = purchase.payment.productIdentifier
        #expect(heard == [.largeDownload(product: product, transaction: "7", bytes: 5_001)])
    }

    @Test func `a large download that has begun is not asked about again`() {
        let download = Download("moon")
        download.bytes = 5_001
        download.share = 0.1
        let purchase = Transaction([download])
        bring(purchase)
        #expect(started == ["moon"] && ends == [] && purchase.contents.count == 1)
    }

    @Test(arguments: [.failed, .cancelled] as [SKDownloadState])
    func `a failed download keeps the purchase and starts again on request`(
        state: SKDownloadState
    ) throws {
        let download = Download("moon")
        let purchase = Transaction([download])
        bring(purchase)
        download.look = state
        contents.moved([download])
        #expect(ends == [false])
        bring(purchase)
        #expect(started == ["moon", "moon"] && ends == [false])
        try finish(download)
        #expect(ends == [false, true])
    }

    @Test func `content that cannot be moved keeps the purchase`() throws {
        let download = Download("moon")
        let purchase = Transaction([download])
        bring(purchase)
        download.look = .finished
        download.place = URL(fileURLWithPath: folder.file("nowhere"))
        contents.moved([download])
        #expect(ends == [false] && kept("moon") == nil && purchase.contents.count == 1)
    }
}
