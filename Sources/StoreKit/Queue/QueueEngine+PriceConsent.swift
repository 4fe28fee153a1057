import Dispatch
import StoreWire

// Price increases that need the customer's consent.
extension QueueEngine {
    /// Shows the price consents that were postponed, if any, and the app may begin something.
    func showPriceConsent() {
        if let reason = objection() { return Diagnostic.sayOnce(reason.sentence) }
        handle(.priceConsentWanted)
    }

    /// Tells those who begin to listen for messages which prices wait for an answer.
    func priceMessagesWanted() {
        events.async { self.tellPriceMessages() }
    }

    /// Tells it to those who were not told yet; on the events' own queue.
    func tellPriceMessages() {
        guard let messages = feed?.messages, !messages.isEmpty else { return }
        messages.tell(look { $0.priceOccasions })
    }

    /// Asks the app whether the customer may be asked now; without a delegate, yes. An app that listens
    /// for messages decides by itself.
    func offerPriceConsents(_ numbers: [Int64]) {
        calls.onMain { [self] in
            if park(.offerPriceConsents(numbers)) { return }
            if feed?.messages.isEmpty == false {
                return handle(.priceConsentAllowed(numbers, false))
            }
            let isAllowed = queue.flatMap { queue in
                queue.delegate.map { $0.paymentQueueShouldShowPriceConsent(queue) }
            }
            handle(.priceConsentAllowed(numbers, isAllowed ?? true))
        }
    }

    func showPriceConsent(_ consent: PendingPriceConsent) {
        guard case .success(let parts) = parts, !park(.showPriceConsent(consent)) else { return }
        let flow = PriceConsentFlow(
            sheet: parts.sheet,
            client: ProductsClient(
                connection: .success(parts.connection), retries: parts.retries),
            connection: parts.connection)
        sheets.async { [self] in
            let isAnswered = flow.run(consent)
            handle(.priceConsentSheetEnded(consent.body.number, isAnswered: isAnswered))
        }
    }
}
