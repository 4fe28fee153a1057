import Foundation
import StoreKit
import StoreSigning

/// One device with an app that buys: the StoreKit module as any app uses it, and a check of the
/// receipt file at every purchase, as an app that trusts nobody would do.
///
/// It makes one purchase, says `ready`, waits for a line and then buys for a while, one purchase
/// after the other. A purchase counts when the receipt in the file was verified and holds it.
/// Then it is finished; the next one begins at once, and the one after that when the finish is
/// through, so that receipts do not grow.
final class DeviceBench: NSObject, SKPaymentTransactionObserver {
    private let product: String
    private let verifier: ReceiptVerifier
    private var isOpen = false
    private var unfinished = 0
    private var started: UInt64 = 0
    private var watch = Stopwatch()
    private var failure: String?

    private init(product: String, verifier: ReceiptVerifier) {
        self.product = product
        self.verifier = verifier
    }

    static func run(_ options: Options) throws {
        let keys = try KeyStore(directory: try options.text("data") + "/keys")
        let device = DeviceBench(
            product: try options.text("product"), verifier: keys.receiptVerifier())
        let seconds = try options.number("seconds")
        SKPaymentQueue.default().add(device)
        try device.buy()
        device.watch = Stopwatch()
        try report(["state": "ready"])
        guard readLine() != nil else { return }
        let start = Stopwatch.now()
        while Stopwatch.now() - start < UInt64(seconds * 1e9) { try device.buy() }
        let spent = Double(Stopwatch.now() - start) / 1e9
        try report(["milliseconds": device.watch.milliseconds, "seconds": spent])
        // What is still to be finished is of no use to anybody.
        _exit(0)
    }

    /// Buys and waits until the receipt is there.
    private func buy() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        isOpen = true
        started = Stopwatch.now()
        SKPaymentQueue.default().add(payment)
        let deadline = Date(timeIntervalSinceNow: 60)
        while isOpen || unfinished > 1 {
            guard Date() < deadline else { throw Failure("a purchase took more than a minute") }
            _ = RunLoop.main.run(mode: .default, before: deadline)
        }
        if let failure { throw Failure(failure) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState != .purchasing {
            if transaction.transactionState == .purchased {
                check(transaction)
            } else {
                failure = "a purchase failed: \(transaction.error.map { "\($0)" } ?? "no reason")"
            }
            isOpen = false
            unfinished += 1
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        unfinished -= transactions.count
    }

    private func check(_ transaction: SKPaymentTransaction) {
        guard let url = Bundle.main.appStoreReceiptURL else {
            return failure = "StoreKit gives no address of the receipt"
        }
        do {
            let receipt = try verifier.verify(Array(try Data(contentsOf: url)))
            let number = transaction.transactionIdentifier
            guard receipt.payload.purchases.contains(where: { $0.transactionID == number }) else {
                return failure = "the receipt lacks transaction \(number ?? "nil")"
            }
            watch.add(since: started)
        } catch {
            failure = "the receipt in the file does not hold: \(error)"
        }
    }
}
