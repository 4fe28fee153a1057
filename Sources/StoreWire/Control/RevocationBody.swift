package import StoreModel

/// `POST /control/v1/transactions/{id}/revoke`: takes a purchase back.
package struct RevokeBody: Codable, Hashable, Sendable {
    package let reason: Revocation.Reason

    package init(reason: Revocation.Reason) {
        self.reason = reason
    }
}

/// What was taken back, now or before.
package struct RevokedBody: Codable, Hashable, Sendable {
    package let transactionId: String
    /// With it every transaction that counts as the same purchase, in the order of their numbers.
    package let transactionIds: [String]
    package let productId: String
    package let reason: Revocation.Reason
    /// Milliseconds since 1970, by the world's clock.
    package let revocationDate: Timestamp

    package init(
        transactionId: String, transactionIds: [String], productId: String,
        reason: Revocation.Reason, revocationDate: Timestamp
    ) {
        self.transactionId = transactionId
        self.transactionIds = transactionIds
        self.productId = productId
        self.reason = reason
        self.revocationDate = revocationDate
    }
}
