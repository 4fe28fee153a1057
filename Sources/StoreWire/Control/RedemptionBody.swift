package import StoreModel

/// `POST …/offer-codes/redeem`: the owner redeems an offer code for an account.
package struct RedeemForAccountBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// The case of its letters is ignored.
    package let code: String

    package init(environment: StoreEnvironment? = nil, name: String, code: String) {
        self.environment = environment
        self.name = name
        self.code = code
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// The result of an offer redeemed or taken for an account.
package struct TakenOfferBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let account: String
    package let productId: String
    package let offerId: String
    /// Digits; absent when the offer begins with the next renewal.
    package let transactionId: String?

    package init(
        environment: StoreEnvironment, account: String, productId: String, offerId: String,
        transactionId: String?
    ) {
        self.environment = environment
        self.account = account
        self.productId = productId
        self.offerId = offerId
        self.transactionId = transactionId
    }
}
