import Dispatch
import Foundation
import StoreModel

// Purchases that a customer began on the app's store page.
extension QueueEngine {
    /// Passes purchases waiting in the home folder to the app; asks the store on the caller's
    /// thread.
    func takeIntents() {
        guard case .success(let parts) = parts, !audience.observers.isEmpty else { return }
        for intent in PromotedPurchase.take(from: parts.home) { offer(intent, parts) }
    }

    private func offer(_ intent: PromotedPurchase, _ parts: Parts) {
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        let identifier = intent.productIdentifier
        let products: [SKProduct]
        switch client.products([identifier]) {
        case .success(let response): products = response.products
        case .failure(let error):
            Diagnostic.sayOnce(
                "the purchase of \(identifier) is waiting: \(error.localizedDescription)")
            return leaveAgain(intent, parts)
        }
        guard let product = products.first else {
            return Diagnostic.say("\(identifier) is not for sale, so its purchase did not begin.")
        }
        let box = UncheckedBox(product)
        calls.onMain { [self] in
            guard let queue else { return }
            let payment = SKPayment(product: box.value)
            // Every observer is asked: each may want to keep the payment for later.
            let answers = board.observers.observers.map {
                $0.paymentQueue(queue, shouldAddStorePayment: payment, for: box.value)
            }
            if answers.contains(true) { queue.add(payment) }
        }
    }

    private func leaveAgain(_ intent: PromotedPurchase, _ parts: Parts) {
        do {
            try intent.leave(home: parts.home.path)
        } catch {
            Diagnostic.say("\(error)")
        }
    }
}
