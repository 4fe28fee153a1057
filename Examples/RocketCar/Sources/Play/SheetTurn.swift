import StoreKit

/// Whether the system's sheet may be on the screen: from a request that shows it until that request
/// has moved on.
struct SheetTurn {
    enum Prompt: Equatable {
        case payment(product: String)
        case restore, receipt
    }

    private(set) var prompt: Prompt?
    /// The transaction of the payment, once the queue has made it.
    private var transaction: SKPaymentTransaction?

    mutating func begin(_ prompt: Prompt) {
        self.prompt = prompt
        transaction = nil
    }

    mutating func end(_ prompt: Prompt) {
        if self.prompt == prompt { self.prompt = nil }
    }

    /// Checks transactions that are new or have changed.
    mutating func see(_ changed: [SKPaymentTransaction]) {
        switch prompt {
        case .payment(let product):
            transaction =
                transaction
                ?? changed.first {
                    $0.transactionState == .purchasing && $0.payment.productIdentifier == product
                }
            if let transaction, transaction.transactionState != .purchasing { prompt = nil }
        case .restore:
            if changed.contains(where: { $0.transactionState == .restored }) { prompt = nil }
        case .receipt, nil: break
        }
    }
}
