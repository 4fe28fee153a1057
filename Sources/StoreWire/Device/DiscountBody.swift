package import StoreModel

/// The promotional offer of a payment in an attempt: what an app's server signed, by the names of
/// `SKPaymentDiscount`, or a JWS. Which parts are there is for the store to judge, which answers
/// with the error that apps know.
package struct DiscountBody: Codable, Hashable, Sendable {
    /// The offer's identifier.
    package let identifier: String?
    package let keyIdentifier: String?
    /// A UUID.
    package let nonce: String?
    /// DER in base64.
    package let signature: String?
    /// Milliseconds since 1970.
    package let timestamp: Int64?
    /// In place of the four before it.
    package let compactJWS: String?

    package init(
        identifier: String?, keyIdentifier: String? = nil, nonce: String? = nil,
        signature: String? = nil, timestamp: Int64? = nil, compactJWS: String? = nil
    ) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
        self.compactJWS = compactJWS
    }

    /// What the rules look at. A JWS is taken before the parts of a signature.
    package var discount: PromotionalDiscount {
        PromotionalDiscount(offerID: identifier ?? "", proof: proof)
    }

    private var proof: PromotionalDiscount.Proof {
        if let compactJWS { return .jws(compactJWS) }
        guard let keyIdentifier, let nonce, let signature, let timestamp else {
            return .incomplete
        }
        return .signature(
            OfferSignature(
                keyID: keyIdentifier, nonce: nonce, timestampMilliseconds: timestamp,
                signature: signature))
    }
}
