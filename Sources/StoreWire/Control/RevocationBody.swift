package import StoreModel

/// `POST /control/v1/transactions/{id}/revoke`: revokes a purchase.
package struct RevokeBody: Codable, Hashable, Sendable {
    package let reason: Revocation.Reason

    package init(reason: Revocation.Reason) {
        self.reason = reason
    }
}

/// The revoked purchase, also when it was revoked before.
package struct RevokedBody: Codable, Hashable, Sendable {
    package let transactionId: String
    /// Every transaction that counts as the same purchase, in the order of their numbers.
    package let transactionIds: [String]
    package let productId: String
    package let reason: Revocation.Reason
    /// Milliseconds since 1970, by the world's clock.
    package let revocationDate: Timestamp
    /// The money refunded with it, for each transaction that was charged.
    package let refunds: [RevokedMoneyBody]

    package init(
        transactionId: String, transactionIds: [String], productId: String,
        reason: Revocation.Reason, revocationDate: Timestamp, refunds: [RevokedMoneyBody]
    ) {
        self.transactionId = transactionId
        self.transactionIds = transactionIds
        self.productId = productId
        self.reason = reason
        self.revocationDate = revocationDate
        self.refunds = refunds
    }
}

/// The money refunded for a revoked transaction, by destination. In thousandths.
package struct RevokedMoneyBody: Codable, Hashable, Sendable {
    package let transactionId: String
    package let currency: String
    /// To the account's credit.
    package let creditMilliunits: Int64
    /// Through the payment provider.
    package let providerMilliunits: Int64

    package init(
        transactionId: String, currency: String, creditMilliunits: Int64, providerMilliunits: Int64
    ) {
        self.transactionId = transactionId
        self.currency = currency
        self.creditMilliunits = creditMilliunits
        self.providerMilliunits = providerMilliunits
    }
}
