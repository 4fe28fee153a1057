import Dispatch
import StoreWire

// A person is asked whether a subscription may cost more.
extension QueueEngine {
    /// Shows what waits for an answer and was put off, if anything does.
    func showPriceConsent() {
        handle(.priceConsentWanted)
    }

    /// Asks the app whether the person may be asked now; without a delegate they may.
    func offerPriceConsents(_ numbers: [Int64]) {
        DispatchQueue.main.async { [self] in
            if park(.offerPriceConsents(numbers)) { return }
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
