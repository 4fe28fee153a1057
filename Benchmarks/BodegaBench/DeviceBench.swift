import Foundation
import StoreKit
import StoreSigning

/// One device with an app that buys: it uses the StoreKit module like any app, and verifies the
/// receipt file at every purchase, like an app that trusts nothing.
///
/// It makes one purchase, finishes it, prints `ready` and waits for lines. On `buy` it buys for a
/// while, one purchase after the other; each counts once the receipt in the file is verified and
/// contains it. On `finish` it finishes them all and prints `ready` when the queue is empty.
final class DeviceBench: NSObject, SKPaymentTransactionObserver {
    private let product: String
    private let verifier: ReceiptVerifier
    private var isOpen = false
    private var unfinished: [SKPaymentTransaction] = []
    private var isFinishing = 0
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
        try device.finish()
        while let line = readLine() {
            switch line {
            case "buy": try device.buy(seconds: seconds)
            case "finish": try device.finish()
            default: throw Failure("unknown command \"\(line)\"")
            }
        }
    }

    private func buy(seconds: Double) throws {
        watch = Stopwatch()
        let start = Stopwatch.now()
        while Stopwatch.now() - start < UInt64(seconds * 1e9) { try buy() }
        try report(["milliseconds": watch.milliseconds])
    }

    private func finish() throws {
        isFinishing = unfinished.count
        for transaction in unfinished { SKPaymentQueue.default().finishTransaction(transaction) }
        unfinished = []
        try wait("a finish") { isFinishing > 0 }
        try report(["state": "ready"])
    }

    /// Buys and waits until the receipt is there.
    private func buy() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        isOpen = true
        started = Stopwatch.now()
        SKPaymentQueue.default().add(payment)
        try wait("a purchase") { isOpen }
    }

    private func wait(_ what: String, while isOpen: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while isOpen() {
            guard Date() < deadline else { throw Failure("\(what) took more than a minute") }
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
            unfinished.append(transaction)
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        isFinishing -= transactions.count
    }

    private func check(_ transaction: SKPaymentTransaction) {
        guard let url = Bundle.main.appStoreReceiptURL else {
            return failure = "StoreKit gives no URL for the receipt"
        }
        do {
            let receipt = try verifier.verify(Array(try Data(contentsOf: url)))
            let number = transaction.transactionIdentifier
            guard receipt.payload.purchases.contains(where: { $0.transactionID == number }) else {
                return failure = "the receipt lacks transaction \(number ?? "nil")"
            }
            watch.add(since: started)
        } catch {
            failure = "the receipt in the file is not valid: \(error)"
        }
    }
}
