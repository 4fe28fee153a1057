package import StoreModel

/// Where an offer key comes from.
package enum OfferKeyOrigin: String, Codable, CaseIterable, Sendable {
    /// The store made it and showed its private half once.
    case made
    /// It stands in the app's catalogue file.
    case catalogue
}

/// An offer key as it is listed; its private half is kept nowhere. Every time is of the real clock.
package struct OfferKeyBody: Codable, Hashable, Sendable {
    package let keyId: String
    package let origin: OfferKeyOrigin
    package let madeAt: Timestamp
    /// Present when no signature with it is taken any more.
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
    /// What a JWS says as `iss`: a UUID of the app's developer account; absent before its first
    /// key.
    package let issuerId: String?
    package let keys: [OfferKeyBody]

    package init(issuerId: String?, keys: [OfferKeyBody]) {
        self.issuerId = issuerId
        self.keys = keys
    }
}

/// The answer to a new offer key: the one time its private half is shown.
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
