import Foundation
import StoreKit

/// One device that buys repeatedly: the time from `add(payment)` until its observer gets
/// `purchased`, when the receipt is in its file. Each purchase is finished, off the clock, before
/// the next.
final class SeenBench: NSObject, SKPaymentTransactionObserver {
    private enum Step {
        case buying, finishing, quiet
    }

    /// Purchases before the clock starts: signing in, connecting, reading the first pages.
    private static let warmUps = 20
    private static let secondsMax = 60.0
    private var step = Step.quiet
    private var started: UInt64 = 0
    private var watch = Stopwatch()
    private var failure: String?

    static func run(_ options: Options) throws {
        let bench = SeenBench()
        let product = try options.text("product")
        let seconds = try options.number("seconds")
        SKPaymentQueue.default().add(bench)
        for _ in 0..<warmUps { try bench.buy(product) }
        bench.watch = Stopwatch()
        let start = Stopwatch.now()
        while Stopwatch.now() - start < UInt64(seconds * 1e9) { try bench.buy(product) }
        try report(["milliseconds": bench.watch.milliseconds, "warm_ups": warmUps])
        SKPaymentQueue.default().remove(bench)
    }

    private func buy(_ product: String) throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        step = .buying
        started = Stopwatch.now()
        SKPaymentQueue.default().add(payment)
        let deadline = Date(timeIntervalSinceNow: Self.secondsMax)
        while step != .quiet, failure == nil {
            guard Date() < deadline else { throw Failure("a purchase took more than a minute") }
            _ = RunLoop.main.run(mode: .default, before: deadline)
        }
        if let failure { throw Failure(failure) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: continue
            case .purchased:
                watch.add(since: started)
                step = .finishing
                queue.finishTransaction(transaction)
            default:
                failure = "a purchase failed: \(String(describing: transaction.error))"
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        step = .quiet
    }
}
