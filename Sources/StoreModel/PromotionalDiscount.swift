/// The promotional offer that a payment asks for, and the developer's word for it.
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

/// The first kind of signature for a promotional offer, as it came; nothing of it is checked.
package struct OfferSignature: Hashable, Sendable {
    package let keyID: String
    /// A UUID in whatever letters.
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

/// A UUID that makes a signature one of a kind, in small letters, as it is signed.
package struct OfferNonce: Hashable, Sendable {
    package let text: String

    /// Nil for what is no UUID.
    package init?(_ text: String) {
        guard isUUID(text) else { return nil }
        self.text = text.lowercased()
    }
}

/// Why a promotional offer is not given, in the order that is looked; each is an `SKError` of its
/// own. Who may have an offer that is sound is another question (`ineligibleForOffer`).
package enum OfferRefusal: String, Error, CaseIterable, Sendable {
    /// The offer, or a part of what stands for it, is empty.
    case missingOfferParameters
    /// The product has no promotional offer of that identifier.
    case invalidOfferIdentifier
    case invalidSignature
    /// The offer costs no less than the subscription does without it.
    case invalidOfferPrice
}
