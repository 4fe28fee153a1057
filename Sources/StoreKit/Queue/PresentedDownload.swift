import CStoreKit
import Foundation

/// What the app sees of a download.
struct PresentedDownload: Hashable, Sendable {
    var state = SKDownloadState.waiting
    var contentIdentifier = ""
    var contentVersion = ""
    var expectedContentLength: Int64 = 0
    /// From 0 to 1.
    var progress: Float = 0
    /// In seconds.
    var timeRemaining: TimeInterval = SKDownloadTimeRemainingUnknown
    /// Where the content is; set when it is finished.
    var contentURL: URL?
    /// Why it failed; set in that state only.
    var failure: FailureReason?
}
