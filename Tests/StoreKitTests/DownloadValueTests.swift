import Foundation
import Testing

@testable import StoreKit

/// What a download shows.
@Suite struct DownloadValueTests {
    @Test func `a download shows what it was last changed to`() {
        let transaction = SKPaymentTransaction()
        var face = DownloadFace(contentIdentifier: "a", expectedContentLength: 10)
        let download = SKDownload(transaction: transaction, face: face)
        #expect(download.transaction === transaction)
        face.state = .failed
        face.progress = 0.5
        face.failure = FailureReason(.unknown, "The disk is full.")
        download.change(to: face)
        #expect(download.state == .failed && download.progress == 0.5)
        #expect(download.contentIdentifier == "a" && download.contentLength == 10)
        #expect(download.error is SKError)
    }

    @Test func `a download does not keep its transaction`() {
        weak var gone: SKPaymentTransaction?
        let download: SKDownload
        do {
            let transaction = SKPaymentTransaction()
            gone = transaction
            download = SKDownload(transaction: transaction, face: DownloadFace())
        }
        #expect(gone == nil)
        #expect(download.transaction.transactionIdentifier == nil)
    }
}
