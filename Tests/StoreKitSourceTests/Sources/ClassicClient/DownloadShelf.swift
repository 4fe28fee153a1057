import StoreKit

/// Follows the downloads of purchases, and finishes a purchase when all have ended.
public class DownloadShelf {
    public private(set) var contents: [String: URL] = [:]
    public private(set) var failures: [String: Error] = [:]
    private let queue: SKPaymentQueue

    public init(queue: SKPaymentQueue) {
        self.queue = queue
    }

    public func begin(_ transaction: SKPaymentTransaction) {
        if transaction.downloads.isEmpty {
            queue.finishTransaction(transaction)
        } else {
            queue.start(transaction.downloads)
        }
    }

    public func update(_ downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .waiting, .active, .paused: break
            case .finished: contents[download.contentIdentifier] = download.contentURL
            case .failed: failures[download.contentIdentifier] = download.error
            case .cancelled: contents[download.contentIdentifier] = nil
            }
        }
        guard let transaction = downloads.first?.transaction else { return }
        let ended: [SKDownloadState] = [.finished, .failed, .cancelled]
        if transaction.downloads.allSatisfy({ ended.contains($0.state) }) {
            queue.finishTransaction(transaction)
        }
    }

    public func pauseAll(_ transaction: SKPaymentTransaction) {
        queue.pause(transaction.downloads.filter { $0.state == .active })
    }

    public func resumeAll(_ transaction: SKPaymentTransaction) {
        queue.resume(transaction.downloads.filter { $0.state == .paused })
    }

    public func cancelAll(_ transaction: SKPaymentTransaction) {
        queue.cancel(transaction.downloads)
    }

    /// What a person reads below the bar of progress.
    public static func caption(_ download: SKDownload) -> String {
        let percent = Int(download.progress * 100)
        let size = ByteCountFormatter.string(
            fromByteCount: download.expectedContentLength, countStyle: .file)
        if download.timeRemaining == SKDownloadTimeRemainingUnknown {
            return "\(percent)% of \(size)"
        }
        return "\(percent)% of \(size), \(Int(download.timeRemaining)) s left"
    }
}
