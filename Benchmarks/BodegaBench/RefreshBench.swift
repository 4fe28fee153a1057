import Foundation
import StoreKit
import StoreSigning
import Synchronization

/// An app that requests its receipt: the time until `requestDidFinish`, when the file is written.
/// The file is read and verified afterwards, off the clock.
final class RefreshBench: NSObject, SKRequestDelegate, Sendable {
    private enum Outcome: Equatable {
        case open
        case finished(at: UInt64)
        case failed(String)
    }

    private static let secondsMax = 120.0
    private let outcome = Mutex(Outcome.open)

    static func run(_ options: Options) throws {
        let keys = try KeyStore(directory: try options.text("data") + "/keys")
        let count = Int(try options.number("count"))
        let bench = RefreshBench()
        let request = SKReceiptRefreshRequest()
        request.delegate = bench
        let start = Stopwatch.now()
        request.start()
        let milliseconds = Double(try bench.wait() - start) / 1e6
        let memory = try ProcessMemory.now()
        let receiptBytes = try ReceiptOnDisk.check(count, keys.receiptVerifier())
        try report([
            "milliseconds": milliseconds, "receipt_bytes": receiptBytes,
            "resident_mb": memory.residentMegabytes, "peak_mb": memory.peakMegabytes,
        ])
    }

    /// When it finished. The delegate may be called on any thread, including this one.
    private func wait() throws -> UInt64 {
        let deadline = Date(timeIntervalSinceNow: Self.secondsMax)
        while Date() < deadline {
            switch outcome.withLock({ $0 }) {
            case .open: RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.002))
            case .finished(let moment): return moment
            case .failed(let sentence): throw Failure(sentence)
            }
        }
        throw Failure("the receipt did not arrive within \(Self.secondsMax) s")
    }

    func requestDidFinish(_ request: SKRequest) {
        outcome.withLock { $0 = .finished(at: Stopwatch.now()) }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        outcome.withLock { $0 = .failed(error.localizedDescription) }
    }
}

/// The receipt that StoreKit wrote for the app.
enum ReceiptOnDisk {
    /// Its size in bytes; it must contain this number of purchases.
    static func check(_ count: Int, _ verifier: ReceiptVerifier) throws -> Int {
        guard let url = Bundle.main.appStoreReceiptURL else {
            throw Failure("StoreKit gives no URL for the receipt")
        }
        let bytes = Array(try Data(contentsOf: url))
        let held = try verifier.verify(bytes).payload.purchases.count
        guard held == count else {
            throw Failure("the receipt holds \(held) of \(count) purchases")
        }
        return bytes.count
    }
}
