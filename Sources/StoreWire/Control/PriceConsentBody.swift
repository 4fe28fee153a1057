package import StoreModel

/// `POST /control/v1/price-consents`: asks an account whether it agrees to a higher price of a
/// subscription.
package struct AskPriceConsentBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    /// The account's name.
    package let name: String
    package let bundleId: String
    package let productId: String
    /// The new price, in the currency of its storefront.
    package let price: String

    package init(
        environment: StoreEnvironment? = nil, name: String, bundleId: String, productId: String,
        price: String
    ) {
        self.environment = environment
        self.name = name
        self.bundleId = bundleId
        self.productId = productId
        self.price = price
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// The state of a price question, for the owner and for devices.
package enum PriceConsentState: String, Codable, CaseIterable, Sendable {
    case pending
    case agreed
    case declined
    /// The subscription ended, or switched to another product, before an answer.
    case withdrawn

    package init(_ consent: PriceConsent) {
        self =
            switch consent.state {
            case .pending: .pending
            case .answered(.agreed, _): .agreed
            case .answered(.declined, _): .declined
            case .withdrawn: .withdrawn
            }
    }
}

/// A price question as the owner sees it.
package struct PriceConsentBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let state: PriceConsentState
    package let environment: StoreEnvironment
    package let account: String
    package let bundleId: String
    package let productId: String
    package let oldPriceMilliunits: Int64
    package let newPriceMilliunits: Int64
    package let currency: String
    /// Milliseconds since 1970, by the world's clock.
    package let askedAt: Timestamp
    /// Absent without an answer.
    package let answeredAt: Timestamp?
    /// Absent unless it was withdrawn.
    package let withdrawnAt: Timestamp?

    package init(
        _ consent: PriceConsent, environment: StoreEnvironment, account: String, bundleId: String
    ) {
        number = consent.number
        state = PriceConsentState(consent)
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        productId = consent.product.rawValue
        oldPriceMilliunits = consent.oldPrice.milliunits
        newPriceMilliunits = consent.newPrice.milliunits
        currency = consent.newPrice.currency.code
        askedAt = consent.askedAt
        (answeredAt, withdrawnAt) =
            switch consent.state {
            case .pending: (nil, nil)
            case .answered(_, let time): (time, nil)
            case .withdrawn(let time): (nil, time)
            }
    }
}

/// `GET /control/v1/price-consents`: all of them, including answered ones, oldest first.
package struct PriceConsentsBody: Codable, Hashable, Sendable {
    package let priceConsents: [PriceConsentBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(priceConsents: [PriceConsentBody], next: Int64?) {
        self.priceConsents = priceConsents
        self.next = next
    }
}
