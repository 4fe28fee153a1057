import Foundation
import StoreKit

/// A small app for tests: buys what its arguments name, prints what its observer hears, finishes
/// every transaction, and ends when the queue has been quiet for a while.
///
/// `PurchaseProbe [--ask] [--twice] [--keep] [--finish-early] [--none] [--impatient] [--until=N]
/// [--emptied=N] [--restore[=NAME]] [--watch] [--later] [--user=NAME] [--discount=PARTS] [--redeem]
/// [--purchase-on=dispatch|run-loop] [PRODUCT...]`: the products are asked for instead of bought, each payment is added twice, nothing
/// is finished, everything is finished too early, nothing of the product is asked for, the app ends
/// by itself while a payment is open, as soon as it heard of so many purchases, or as soon as they
/// have left the queue, too; or it restores, of one user name when one is given, and ends after that
/// has ended; or it never ends, and says what is in the queue whenever that changes. It puts off what
/// a person is to be asked about prices. It buys under a user name of its own, with a promotional
/// offer: its identifier, key, nonce, signature and timestamp with commas between. It shows the sheet
/// for offer codes. It buys by StoreKit 2, with the main thread in that loop.
@main final class PurchaseProbe: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    private static let ticksMax = 1_200
    private var quietTicks = 0
    private var purchaseCount = 0
    private var isRestoring = false
    private let keeps: Bool
    private let finishesEarly: Bool
    private let isImpatient: Bool
    private let putsPricesOff: Bool

    init(_ arguments: ArraySlice<String>) {
        keeps = arguments.contains("--keep")
        finishesEarly = arguments.contains("--finish-early")
        isImpatient = arguments.contains("--impatient")
        putsPricesOff = arguments.contains("--later")
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let probe = PurchaseProbe(arguments)
        if let loop = arguments.first(where: { $0.hasPrefix("--purchase-on=") }) {
            buy(arguments.last ?? "", on: String(loop.dropFirst(14)))
        }
        if arguments.contains("--ask") { probe.ask(arguments.filter { !$0.hasPrefix("--") }) }
        SKPaymentQueue.default().delegate = probe
        SKPaymentQueue.default().add(probe)
        for product in arguments where !product.hasPrefix("--") {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            if arguments.contains("--none") { payment.quantity = 0 }
            payment.applicationUsername =
                arguments.first { $0.hasPrefix("--user=") }.map { String($0.dropFirst(7)) }
            payment.paymentDiscount =
                arguments.first { $0.hasPrefix("--discount=") }
                .flatMap { discount($0.dropFirst(11)) }
            SKPaymentQueue.default().add(payment)
            if arguments.contains("--twice") { SKPaymentQueue.default().add(payment) }
        }
        if arguments.contains("--redeem") {
            probe.quietTicks = -200
            SKPaymentQueue.default().presentCodeRedemptionSheet()
        }
        if let word = arguments.first(where: { $0.hasPrefix("--restore") }) {
            probe.isRestoring = true
            probe.countAnew()
            let name = word.split(separator: "=").dropFirst().first.map(String.init)
            SKPaymentQueue.default().restoreCompletedTransactions(withApplicationUsername: name)
        }
        let until = count(after: "--until=", in: arguments)
        let emptied = count(after: "--emptied=", in: arguments)
        if arguments.contains("--watch") { probe.watch() }
        var ticks = 0
        func isWaiting() -> Bool {
            guard let wanted = until ?? emptied else { return probe.quietTicks < 20 }
            let isLeft = emptied != nil && !SKPaymentQueue.default().transactions.isEmpty
            return (probe.purchaseCount < wanted || isLeft) && ticks < ticksMax
        }
        while isWaiting() {
            ticks += 1
            probe.quietTicks += 1
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
        SKPaymentQueue.default().remove(probe)
    }

    private static func count(after name: String, in arguments: ArraySlice<String>) -> Int? {
        arguments.compactMap {
            $0.hasPrefix(name) ? Int($0.dropFirst(name.count)) : nil
        }.first
    }

    private static func discount(_ text: Substring) -> SKPaymentDiscount? {
        let parts = text.split(separator: ",").map(String.init)
        guard parts.count == 5, let nonce = UUID(uuidString: parts[2]), let time = Int64(parts[4])
        else { return nil }
        return SKPaymentDiscount(
            identifier: parts[0], keyIdentifier: parts[1], nonce: nonce, signature: parts[3],
            timestamp: NSNumber(value: time))
    }

    /// Waits for more: for the end of a restore much longer than for other news.
    private func countAnew() {
        quietTicks = isRestoring ? -Self.ticksMax : 0
    }

    /// Says what is in the queue until the process is ended.
    private func watch() -> Never {
        var shown: [String]?
        while true {
            let queue = SKPaymentQueue.default().transactions.map {
                $0.payment.productIdentifier.split(separator: ".").last.map(String.init) ?? ""
            }
            if queue != shown { say("queue \(queue.sorted().joined(separator: " "))") }
            shown = queue
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        }
    }

    /// A line at once, so that a kill loses none.
    func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchasing:
                say("purchasing \(product)")
                quietTicks = isImpatient ? -20 : -200
                if finishesEarly { queue.finishTransaction(transaction) }
                continue
            case .purchased:
                purchaseCount += 1
                let receipt = Bundle.main.appStoreReceiptURL
                    .flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                say("purchased \(product) \(transaction.transactionIdentifier ?? "nil")")
                say("receipt \(receipt ?? "nil")")
                let own = transaction.transactionReceipt?.base64EncodedString()
                say("transaction-receipt \(own ?? "nil")")
            case .failed:
                say("failed \(product) \(transaction.error?.localizedDescription ?? "nil")")
                if let discount = transaction.payment.paymentDiscount {
                    let code = (transaction.error as? SKError)?.code.rawValue ?? -1
                    say("failed with offer \(discount.identifier) \(code)")
                }
            case .restored:
                purchaseCount += 1
                let original = transaction.original
                say(
                    "restored \(product) \(transaction.transactionIdentifier ?? "nil") "
                        + "of \(original?.transactionIdentifier ?? "nil") "
                        + "\(original?.payment.productIdentifier ?? "nil") "
                        + "\(original?.transactionState == .purchased)")
                let own = transaction.transactionReceipt?.base64EncodedString()
                say("transaction-receipt \(own ?? "nil")")
            case .deferred:
                // Somebody has to answer; that may take a while.
                say("deferred \(product)")
                quietTicks = -1_200
                continue
            @unknown default: say("unknown \(product)")
            }
            countAnew()
            if !keeps { queue.finishTransaction(transaction) }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        for product in productIdentifiers { say("revoked \(product)") }
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        say("price consent")
        return !putsPricesOff
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        say("storefront \(queue.storefront?.countryCode ?? "nil")")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        countAnew()
        for transaction in transactions {
            say("removed \(transaction.payment.productIdentifier)")
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoring = false
        countAnew()
        say("restore finished")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        isRestoring = false
        countAnew()
        say("restore failed \((error as? SKError)?.code.rawValue ?? -1)")
    }
}
