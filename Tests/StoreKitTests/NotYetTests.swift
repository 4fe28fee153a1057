import Foundation
import Testing

@testable import StoreKit

/// What can be called and has nothing to do here does nothing.
@Suite struct NotYetTests {
    @Test func `downloads created by an app and review requests do nothing`() throws {
        let app = try Shop().launch()
        let download = SKDownload()
        app.queue.start([download])
        app.queue.pause([download])
        app.queue.resume([download])
        app.queue.cancel([download])
        #expect(download.state == .waiting)
        SKStoreReviewController.requestReview()
        #expect(app.queue.transactions == [])
    }
}
