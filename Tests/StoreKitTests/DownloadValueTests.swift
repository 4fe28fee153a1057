import Foundation
import Testing

@testable import StoreKit

/// What a download shows.
@Suite struct DownloadValueTests {
    @Test func `a download shows its latest state`() {
        let transaction = SKPaymentTransaction()
        var presented = PresentedDownload(contentIdentifier: "a", expectedContentLength: 10)
        let download = SKDownload(transaction: transaction, presented: presented)
        #expect(download.transaction === transaction)
        presented.state = .failed
        presented.progress = 0.5
        presented.failure = FailureReason(.unknown, "The disk is full.")
        download.change(to: presented)
        #expect(download.state == .failed && download.progress == 0.5)
        #expect(download.contentIdentifier == "a" && download.contentLength == 10)
        #expect(download.error is SKError)
    }

    @Test func `a download does not retain its transaction`() {
        weak var gone: SKPaymentTransaction?
        let download: SKDownload
        do {
            let transaction = SKPaymentTransaction()
            gone = transaction
            download = SKDownload(transaction: transaction, presented: PresentedDownload())
        }
        #expect(gone == nil)
        #expect(download.transaction.transactionIdentifier == nil)
    }
}
