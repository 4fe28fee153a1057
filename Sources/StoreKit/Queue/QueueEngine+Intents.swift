import Dispatch
import Foundation
import StoreModel
import StoreWire

// Purchases that a customer began on the app's store page.
extension QueueEngine {
    /// Somebody waits for such a purchase who did not before.
    func intentsWanted() {
        watch.lookForIntents(self)
    }

    /// Passes purchases waiting in the home folder to the app; asks the store on the caller's
    /// thread.
    ///
    /// An app listens with one interface. Where both are there, StoreKit 2 gets them, and no observer is
    /// asked: the customer began each purchase once.
    func takeIntents() {
        guard case .success(let parts) = parts else { return }
        if let listeners = feed?.intents, !listeners.isEmpty {
            return handIntents(to: listeners, parts)
        }
        guard !audience.observers.isEmpty else { return }
        // The original API cannot buy with a win-back offer.
        let intents = PromotedPurchase.take(from: parts.home) { $0.winBackOfferIdentifier == nil }
        for intent in intents { offer(intent, parts) }
    }

    /// Hands one purchase after another to the iterations that wait.
    private func handIntents(to listeners: IntentListeners, _ parts: Parts) {
        while listeners.isWaiting,
            let promoted = PromotedPurchase.take(from: parts.home, atMost: 1).first
        {
            guard let body = product(of: promoted, parts) else { return }
            guard let intent = PurchaseIntent(promoted, of: Product(body)) else { continue }
            if !listeners.hand(intent) { leaveAgain(promoted, parts) }
        }
    }

    /// Asks the observers whether to continue a purchase.
    private func offer(_ intent: PromotedPurchase, _ parts: Parts) {
        guard let body = product(of: intent, parts) else { return }
        let box = UncheckedBox(SKProduct(details: ProductDetails(body)))
        calls.onMain { [self] in
            let observers = board.observers.observers
            guard let queue, !observers.isEmpty else {
                // Those who were to be asked have left.
                return watch.queue.async { self.leaveAgain(intent, parts) }
            }
            let payment = SKPayment(product: box.value)
            // Every observer is asked: each may want to keep the payment for later.
            let answers = observers.map {
                $0.paymentQueue(queue, shouldAddStorePayment: payment, for: box.value)
            }
            if answers.contains(true) { queue.add(payment) }
        }
    }

    /// The product of a purchase. Without an answer of the store the purchase waits; nil also when there
    /// is no such product, which drops it.
    private func product(of intent: PromotedPurchase, _ parts: Parts) -> ProductBody? {
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        let identifier = intent.productIdentifier
        switch client.bodies([identifier]) {
        case .success(let answer):
            if answer.products.isEmpty {
                Diagnostic.say("\(identifier) is not for sale, so its purchase did not begin.")
            }
            return answer.products.first
        case .failure(let failure):
            Diagnostic.sayOnce("the purchase of \(identifier) is waiting: \(failure.sentence)")
            leaveAgain(intent, parts)
            return nil
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

extension PurchaseIntent {
    /// Nil when the product no longer has the offer that the customer chose: at the full price they did
    /// not begin it.
    fileprivate init?(_ promoted: PromotedPurchase, of product: Product) {
        guard let chosen = promoted.winBackOfferIdentifier else {
            self.init(product: product, offer: nil)
            return
        }
        guard let offer = product.subscription?.winBackOffers.first(where: { $0.id == chosen })
        else {
            Diagnostic.say(
                "\(product.id) has no win-back offer \(chosen), so its purchase did not begin.")
            return nil
        }
        self.init(product: product, offer: offer)
    }
}
