package import StoreModel

/// The origin of an offer key.
package enum OfferKeyOrigin: String, Codable, CaseIterable, Sendable {
    /// The store made it and showed its private half once.
    case made
    /// It comes from the app's catalogue file.
    case catalogue
}

/// An offer key in a list; its private half is not kept. All times are by the real clock.
package struct OfferKeyBody: Codable, Hashable, Sendable {
    package let keyId: String
    package let origin: OfferKeyOrigin
    package let madeAt: Timestamp
    /// Present when its signatures are no longer accepted.
    package let revokedAt: Timestamp?

    package init(
        keyId: String, origin: OfferKeyOrigin, madeAt: Timestamp, revokedAt: Timestamp?
    ) {
        self.keyId = keyId
        self.origin = origin
        self.madeAt = madeAt
        self.revokedAt = revokedAt
    }
}

/// `GET /control/v1/apps/{bundleId}/offer-keys`, newest first.
package struct OfferKeysBody: Codable, Hashable, Sendable {
    /// The `iss` of a JWS: a UUID of the app's developer account; absent before its first key.
    package let issuerId: String?
    package let keys: [OfferKeyBody]

    package init(issuerId: String?, keys: [OfferKeyBody]) {
        self.issuerId = issuerId
        self.keys = keys
    }
}

/// The answer to a new offer key; only this answer shows its private half.
package struct MadeOfferKeyBody: Codable, Hashable, Sendable {
    package let keyId: String
    package let issuerId: String
    /// PKCS#8 in PEM.
    package let privateKey: String
    package let madeAt: Timestamp

    package init(keyId: String, issuerId: String, privateKey: String, madeAt: Timestamp) {
        self.keyId = keyId
        self.issuerId = issuerId
        self.privateKey = privateKey
        self.madeAt = madeAt
    }
}
