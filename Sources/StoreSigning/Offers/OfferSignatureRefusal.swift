package import StoreModel
/// Why a signature for an offer is refused; a sentence for the developer of the app's server.
package enum OfferSignatureRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It does not have the form of a signature.
    case malformed(String)
    case keyUnknown
    case keyRevoked
    /// It was made for something else, or with another key.
    case wrongSignature
    /// The JWS contradicts the payment, or is for another app or account.
    case otherClaim(String)
    case expired
    case fromTheFuture

    package var description: String {
        switch self {
        case .malformed(let problem): "The offer's signature is malformed: \(problem)."
        case .keyUnknown: "The app has no offer key with that identifier."
        case .keyRevoked: "The offer key was revoked."
        case .wrongSignature:
            "The offer's signature does not match app, key, product, offer, user name, nonce and "
                + "timestamp."
        case .otherClaim(let name): "The \(name) in the offer's JWS does not match the request."
        case .expired: "The offer was signed more than 24 hours ago."
        case .fromTheFuture: "The offer was signed in the future."
        }
    }
}

/// An offer that the app's developer signed for a product. Its nonce has yet to be checked.
package struct VerifiedOffer: Hashable, Sendable {
    package let offer: String
    package let keyID: String
    package let nonce: OfferNonce
    package let signedAt: Timestamp
    /// A transaction that the JWS attributes to the customer; nil when it names none.
    package let transactionID: String?

    /// When the signature can no longer be used, whatever its date.
    package var endsAt: Timestamp {
        signedAt.adding(milliseconds: OfferSignatureVerifier.millisecondsMax)
    }
}

/// An app's server's word on whether a customer gets an introductory offer. Its nonce and its
/// customer have yet to be checked.
package struct VerifiedIntroduction: Hashable, Sendable {
    package let isAllowed: Bool
    package let nonce: OfferNonce
    package let signedAt: Timestamp
    /// A transaction, or an app transaction, of the customer.
    package let transactionID: String

    /// When the signature can no longer be used, whatever its date.
    package var endsAt: Timestamp {
        signedAt.adding(milliseconds: OfferSignatureVerifier.millisecondsMax)
    }
}
