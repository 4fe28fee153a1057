package import StoreModel

/// The app's key for promotional offers, as the backend uses it.
package struct OfferSigning: Sendable {
    /// The key's identifier at the store.
    package let keyID: String
    /// Signs bytes: ECDSA on P-256 with SHA-256, in DER.
    package let sign: @Sendable (_ text: [UInt8]) throws -> [UInt8]

    package init(keyID: String, sign: @escaping @Sendable (_ text: [UInt8]) throws -> [UInt8]) {
        self.keyID = keyID
        self.sign = sign
    }

    /// What is signed: seven parts, user name and nonce in small letters, the date in milliseconds.
    ///
    /// Apple, "Generating a signature for promotional offers". Nil when a part holds the separator
    /// itself: the same text would then promise something else, too.
    package func text(
        bundleID: String, for terms: OfferRequest, nonce: String, at now: Timestamp
    ) -> [UInt8]? {
        let parts = [
            bundleID, keyID, terms.productID, terms.offerID,
            terms.applicationUsername.lowercased(), nonce.lowercased(), "\(now.milliseconds)",
        ]
        guard parts.allSatisfy({ !$0.unicodeScalars.contains(Self.separator) }) else { return nil }
        return Array(parts.joined(separator: String(Self.separator)).utf8)
    }

    /// How long a signature is good for, by the real clock.
    package static let lifetimeMilliseconds: Int64 = 86_400_000

    /// INVISIBLE SEPARATOR.
    private static let separator: Unicode.Scalar = "\u{2063}"
}

/// Which offer a user wants to have signed.
package struct OfferRequest: Hashable, Sendable {
    package let productID: String
    package let offerID: String
    /// The app's own name for its user, as the payment will have it; empty for none.
    package let applicationUsername: String

    package init(productID: String, offerID: String, applicationUsername: String) {
        self.productID = productID
        self.offerID = offerID
        self.applicationUsername = applicationUsername
    }
}
