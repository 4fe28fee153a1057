import Foundation
import StoreKit

/// A small app for tests: buys a product, fetches what it brings, and says what its observer hears.
///
/// `DownloadProbe [--restore] [--finish] [--pause] [--move=FOLDER] [PRODUCT]`: buys the product or
/// restores, starts every download or resumes it, and pauses it as soon as something has come, if
/// that is asked for. When one is finished it moves the content and finishes the transaction, if
/// that is asked for. It ends when a download has ended or is paused, or nothing brings any, and a
/// restore is over, and says how much memory it took.
@main final class DownloadProbe: NSObject, SKPaymentTransactionObserver {
    private static let secondsMax = 240.0
    private var isDone = false
    private var isRestoring = false
    private let finishes: Bool
    private let pauses: Bool
    private let target: String?

    init(finishes: Bool, pauses: Bool, target: String?) {
        self.finishes = finishes
        self.pauses = pauses
        self.target = target
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let move = arguments.first { $0.hasPrefix("--move=") }
        let probe = DownloadProbe(
            finishes: arguments.contains("--finish"), pauses: arguments.contains("--pause"),
            target: move.map { String($0.dropFirst("--move=".count)) })
        SKPaymentQueue.default().add(probe)
        if let product = arguments.first(where: { !$0.hasPrefix("--") }) {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            SKPaymentQueue.default().add(payment)
        }
        if arguments.contains("--restore") {
            probe.isRestoring = true
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
        let end = Date(timeIntervalSinceNow: secondsMax)
        while !probe.isDone || probe.isRestoring, Date() < end {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
        SKPaymentQueue.default().remove(probe)
        probe.say("memory \(peakMemoryKibibytes ?? 0)")
    }

    /// The most memory that was resident at a time, in KiB.
    private static var peakMemoryKibibytes: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// A line at once, so that a kill loses none.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        var (hasHeard, brings) = (false, false)
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                let number = transaction.transactionIdentifier ?? "nil"
                let product = transaction.payment.productIdentifier
                if let original = transaction.original {
                    say("restored \(product) \(number) \(original.transactionIdentifier ?? "nil")")
                } else {
                    say("purchased \(product) \(number)")
                }
                for download in transaction.downloads {
                    say("found \(download.state.rawValue) \(download.progress)")
                    if download.state == .paused {
                        queue.resume([download])
                    } else {
                        queue.start([download])
                    }
                }
            case .failed:
                say("failed \(transaction.error?.localizedDescription ?? "nil")")
            case .purchasing:
                say("purchasing \(transaction.payment.productIdentifier)")
                continue
            case .deferred: continue
            @unknown default: continue
            }
            brings = brings || !transaction.downloads.isEmpty
            hasHeard = true
        }
        if hasHeard, !brings { isDone = true }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            say("download \(download.state.rawValue) \(download.progress)")
            switch download.state {
            case .active where pauses && download.progress > 0: queue.pause([download])
            case .finished: deliver(download, queue)
            case .failed:
                say("error \(download.error?.localizedDescription ?? "nil")")
                isDone = true
            case .paused, .cancelled: isDone = true
            case .active, .waiting: break
            }
        }
    }

    private func deliver(_ download: SKDownload, _ queue: SKPaymentQueue) {
        guard let place = download.contentURL else { return say("no content") }
        say("content \(place.path)")
        if let target {
            do {
                try FileManager.default.moveItem(atPath: place.path, toPath: target)
            } catch {
                return say("not moved: \(error)")
            }
        }
        if finishes { return queue.finishTransaction(download.transaction) }
        isDone = true
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        say("removed \(transactions.count)")
        isDone = true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        say("restore-finished")
        isRestoring = false
        if queue.transactions.isEmpty { isDone = true }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        say("restore-failed \(error.localizedDescription)")
        isRestoring = false
        isDone = true
    }
}
