package import StoreModel

/// The promotional offer of a payment in an attempt: the values signed by an app's server, named as
/// in `SKPaymentDiscount`, or a JWS. The store checks which parts are present, and answers with the
/// error that apps know.
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
    /// Replaces the four before it.
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

    /// The values that the rules check. A JWS is preferred to the parts of a signature.
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
