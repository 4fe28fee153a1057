import Foundation
import StoreWire

/// Takes one price consent to the sheet, and the answer to the store.
struct PriceConsentFlow: Sendable {
    let sheet: any PaymentSheet
    let client: ProductsClient
    let connection: StoreConnection

    /// Whether the question is settled: the store has an answer, or no longer asks.
    func run(_ consent: PendingPriceConsent) -> Bool {
        // Another account may have signed in while another sheet was up.
        guard connection.customer == consent.customer else { return false }
        switch sheet.consent(to: prompt(consent)) {
        case .given(let agrees): return send(agrees, to: consent)
        case .cancelled: return false
        case .unable(let sentence):
            sheet.show(sentence)
            return false
        }
    }

    /// Sends an answer; if it does not arrive the question is asked again, since the store has
    /// none.
    private func send(_ agrees: Bool, to consent: PendingPriceConsent) -> Bool {
        let answer = client.patiently { () throws(StoreFailure) in
            try connection.answer(
                agrees, toPriceConsent: consent.body.number, as: consent.customer)
        }
        guard case .failure(let failure) = answer else { return true }
        sheet.show(failure.sentence)
        guard case .refused(let status, _) = failure.kind else { return false }
        return status == 404 || status == 409
    }

    private func prompt(_ consent: PendingPriceConsent) -> PriceConsentPrompt {
        let body = consent.body
        let product = sheet.showsDetails ? self.product(body.productId) : nil
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product?.priceLocale ?? Locale(identifier: "en_US")
        // The account may have moved to another storefront since the question was asked.
        formatter.currencyCode = body.currency
        func text(_ milliunits: Int64) -> String {
            let price = ProductDetails.price(milliunits: milliunits)
            return formatter.string(from: price) ?? "\(price) \(body.currency)"
        }
        return PriceConsentPrompt(
            productIdentifier: body.productId, title: product?.localizedTitle,
            oldPrice: text(body.oldPriceMilliunits), newPrice: text(body.newPriceMilliunits),
            account: consent.customer.account)
    }

    private func product(_ identifier: String) -> SKProduct? {
        guard case .success(let response) = client.products([identifier]) else { return nil }
        return response.products.first
    }
}
