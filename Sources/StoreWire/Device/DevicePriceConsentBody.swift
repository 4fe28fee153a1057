package import StoreModel

/// A price question as the account's devices see it, and the answer to
/// `POST /device/v1/price-consents/{number}/agree` and `…/decline`.
package struct DevicePriceConsentBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let state: PriceConsentState
    package let productId: String
    package let oldPriceMilliunits: Int64
    package let newPriceMilliunits: Int64
    package let currency: String

    package init(
        number: Int64, state: PriceConsentState, productId: String, oldPriceMilliunits: Int64,
        newPriceMilliunits: Int64, currency: String
    ) {
        self.number = number
        self.state = state
        self.productId = productId
        self.oldPriceMilliunits = oldPriceMilliunits
        self.newPriceMilliunits = newPriceMilliunits
        self.currency = currency
    }

    package init(_ consent: PriceConsent) {
        self.init(
            number: consent.number, state: PriceConsentState(consent),
            productId: consent.product.rawValue,
            oldPriceMilliunits: consent.oldPrice.milliunits,
            newPriceMilliunits: consent.newPrice.milliunits,
            currency: consent.newPrice.currency.code)
    }
}
