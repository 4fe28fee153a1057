/// The promotional offer that a payment asks for, with the developer's authorization.
package struct PromotionalDiscount: Hashable, Sendable {
    package enum Proof: Hashable, Sendable {
        /// As `SKPaymentDiscount` carries it.
        case signature(OfferSignature)
        /// A JWS in its compact form, as StoreKit 2 takes it.
        case jws(String)
        /// Nothing, or not all the parts of a signature.
        case incomplete
    }

    /// The offer's identifier.
    package let offerID: String
    package let proof: Proof

    package init(offerID: String, proof: Proof) {
        self.offerID = offerID
        self.proof = proof
    }
}

/// The first kind of signature for a promotional offer, as received and unchecked.
package struct OfferSignature: Hashable, Sendable {
    package let keyID: String
    /// A UUID in upper or lower case.
    package let nonce: String
    /// When it was signed, in milliseconds since 1970.
    package let timestampMilliseconds: Int64
    /// DER in base64.
    package let signature: String

    package init(
        keyID: String, nonce: String, timestampMilliseconds: Int64, signature: String
    ) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestampMilliseconds = timestampMilliseconds
        self.signature = signature
    }
}

/// A UUID that makes a signature unique, in lowercase, as it is signed.
package struct OfferNonce: Hashable, Sendable {
    package let text: String

    /// Nil for a text that is not a UUID.
    package init?(_ text: String) {
        guard isUUID(text) else { return nil }
        self.text = text.lowercased()
    }
}

/// Why a promotional offer is not given, in the order of the checks; each is an `SKError` of its
/// own. Whether a customer is eligible for a valid offer is checked elsewhere
/// (`ineligibleForOffer`).
package enum OfferRefusal: String, Error, CaseIterable, Sendable {
    /// The offer, or a part of its authorization, is empty.
    case missingOfferParameters
    /// The product does not have a promotional offer with that identifier.
    case invalidOfferIdentifier
    case invalidSignature
    /// The offer is not cheaper than the subscription without it.
    case invalidOfferPrice
}
