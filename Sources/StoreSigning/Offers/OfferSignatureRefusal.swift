package import StoreModel

/// Why a signature for an offer is not taken; a sentence for whoever wrote the backend.
package enum OfferSignatureRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It does not have the form of one.
    case malformed(String)
    case keyUnknown
    case keyRevoked
    /// It was made for something else, or not with that key.
    case wrongSignature
    /// The JWS says something else than the payment, or is for another app or account.
    case otherClaim(String)
    case expired
    case fromTheFuture

    package var description: String {
        switch self {
        case .malformed(let problem): "The offer's signature is malformed: \(problem)."
        case .keyUnknown: "The app has no offer key of that identifier."
        case .keyRevoked: "The offer key was revoked."
        case .wrongSignature:
            "The offer's signature does not fit app, key, product, offer, user name, nonce and "
                + "timestamp."
        case .otherClaim(let name): "The offer's JWS has another \(name) than is asked for."
        case .expired: "The offer was signed more than 24 hours ago."
        case .fromTheFuture: "The offer was signed in the future."
        }
    }
}

/// An offer that the app's developer signed for a product. Its nonce is still to be looked up.
package struct VerifiedOffer: Hashable, Sendable {
    package let offer: String
    package let keyID: String
    package let nonce: OfferNonce
    package let signedAt: Timestamp
    /// A transaction that the JWS says belongs to the customer; nil when it names none.
    package let transactionID: String?

    package init(
        offer: String, keyID: String, nonce: OfferNonce, signedAt: Timestamp,
        transactionID: String?
    ) {
        self.offer = offer
        self.keyID = keyID
        self.nonce = nonce
        self.signedAt = signedAt
        self.transactionID = transactionID
    }

    /// When nobody can use the signature any more, however its date was chosen.
    package var endsAt: Timestamp {
        signedAt.adding(milliseconds: OfferSignatureVerifier.millisecondsMax)
    }
}
