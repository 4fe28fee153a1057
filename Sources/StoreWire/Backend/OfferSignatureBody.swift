/// `POST /v1/offers` of a purchase backend: a user asks for a promotional offer.
package struct OfferRequestBody: Codable, Hashable, Sendable {
    package let productId: String
    /// The offer's identifier, as the store lists it among the product's discounts.
    package let offerId: String
    /// The app's own name for its user, as the payment will carry it; absent for none.
    package let applicationUsername: String?

    package init(productId: String, offerId: String, applicationUsername: String? = nil) {
        self.productId = productId
        self.offerId = offerId
        self.applicationUsername = applicationUsername
    }
}

/// The answer: the values of an `SKPaymentDiscount`. Valid for 24 hours and one use.
package struct OfferSignatureBody: Codable, Hashable, Sendable {
    package let productId: String
    package let offerId: String
    /// As signed; empty for none.
    package let applicationUsername: String
    package let keyIdentifier: String
    /// A UUID in lowercase.
    package let nonce: String
    /// Milliseconds since 1970.
    package let timestamp: Int64
    /// DER in base64.
    package let signature: String

    package init(
        productId: String, offerId: String, applicationUsername: String, keyIdentifier: String,
        nonce: String, timestamp: Int64, signature: String
    ) {
        self.productId = productId
        self.offerId = offerId
        self.applicationUsername = applicationUsername
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }
}
