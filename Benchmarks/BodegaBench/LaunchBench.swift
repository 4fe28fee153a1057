import Foundation
import StoreKit
import StoreSigning

/// An app whose account has thousands of unfinished purchases when it starts: the time until its
/// observer has received them all, and the size of the process then.
///
/// The purchases are announced as to any app: each with the receipt file that names it on disk. The
/// file is read and verified afterwards, off the clock.
final class LaunchBench: NSObject, SKPaymentTransactionObserver {
    private static let secondsMax = 120.0
    private var heard: Set<String> = []
    private var calls = 0
    private var failure: String?

    static func run(_ options: Options) throws {
        let keys = try KeyStore(directory: try options.text("data") + "/keys")
        let count = Int(try options.number("count"))
        let app = LaunchBench()
        let start = Stopwatch.now()
        SKPaymentQueue.default().add(app)
        let milliseconds = try app.wait(for: count, since: start)
        let memory = try ProcessMemory.now()
        let receiptBytes = try ReceiptOnDisk.check(count, keys.receiptVerifier())
        try report([
            "milliseconds": milliseconds, "calls": app.calls, "receipt_bytes": receiptBytes,
            "resident_mb": memory.residentMegabytes, "peak_mb": memory.peakMegabytes,
        ])
        SKPaymentQueue.default().remove(app)
    }

    private func wait(for count: Int, since start: UInt64) throws -> Double {
        let deadline = Date(timeIntervalSinceNow: Self.secondsMax)
        while heard.count < count, failure == nil {
            guard Date() < deadline else {
                throw Failure("only \(heard.count) of \(count) purchases were announced")
            }
            _ = RunLoop.main.run(mode: .default, before: deadline)
        }
        if let failure { throw Failure(failure) }
        return Double(Stopwatch.now() - start) / 1e6
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        calls += 1
        for transaction in transactions {
            guard transaction.transactionState == .purchased,
                let number = transaction.transactionIdentifier
            else {
                failure = "a transaction is in state \(transaction.transactionState.rawValue)"
                return
            }
            heard.insert(number)
        }
    }
}
