package import StoreModel

/// A sold transaction with its buyer and what became of it: the members of `SoldTransactionBody`
/// and more.
package struct SaleBody: Codable, Hashable, Sendable {
    package let sold: SoldTransactionBody
    /// The buyer, or the family member who has this copy.
    package let account: String
    package let state: TransactionState
    /// When the app finished it; absent while it has not.
    package let finishedAt: Timestamp?
    /// The end of the period that it paid for; absent unless it is of a subscription.
    package let expiresAt: Timestamp?
    /// When another product of the group took its period's place; absent if none did.
    package let replacedAt: Timestamp?
    /// Absent if it was not revoked.
    package let revocationReason: Revocation.Reason?

    package init(
        sold: SoldTransactionBody, account: String, state: TransactionState,
        finishedAt: Timestamp? = nil, expiresAt: Timestamp? = nil, replacedAt: Timestamp? = nil,
        revocationReason: Revocation.Reason? = nil
    ) {
        self.sold = sold
        self.account = account
        self.state = state
        self.finishedAt = finishedAt
        self.expiresAt = expiresAt
        self.replacedAt = replacedAt
        self.revocationReason = revocationReason
    }

    private enum CodingKeys: String, CodingKey {
        case account, state, finishedAt, expiresAt, replacedAt, revocationReason
    }

    package init(from decoder: any Decoder) throws {
        sold = try SoldTransactionBody(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        account = try members.decode(String.self, forKey: .account)
        state = try members.decode(TransactionState.self, forKey: .state)
        finishedAt = try members.decodeIfPresent(Timestamp.self, forKey: .finishedAt)
        expiresAt = try members.decodeIfPresent(Timestamp.self, forKey: .expiresAt)
        replacedAt = try members.decodeIfPresent(Timestamp.self, forKey: .replacedAt)
        revocationReason = try members.decodeIfPresent(
            Revocation.Reason.self, forKey: .revocationReason)
    }

    package func encode(to encoder: any Encoder) throws {
        try sold.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(state, forKey: .state)
        try members.encodeIfPresent(finishedAt, forKey: .finishedAt)
        try members.encodeIfPresent(expiresAt, forKey: .expiresAt)
        try members.encodeIfPresent(replacedAt, forKey: .replacedAt)
        try members.encodeIfPresent(revocationReason, forKey: .revocationReason)
    }
}

/// `GET /control/v1/transactions`: a page of what was sold.
package struct SalesBody: Codable, Hashable, Sendable {
    package let transactions: [SaleBody]
    /// The `after` of the next page; absent on the last.
    package let next: String?
    /// The `after` from which a later request, in the order of the sales, has only what was not
    /// listed: sold since, for the newest first.
    package let position: String

    package init(transactions: [SaleBody], next: String?, position: String) {
        self.transactions = transactions
        self.next = next
        self.position = position
    }
}

/// `GET /control/v1/transactions/{id}`: a transaction and all that belongs to it.
package struct SaleDetailsBody: Codable, Hashable, Sendable {
    package let transaction: SaleBody
    package let originallyPurchasedAt: Timestamp
    /// The number of the device that bought it, for `GET /control/v1/devices/{device}`.
    package let deviceId: Int64
    /// The attempt or the restore it came from, as devices see it.
    package let attemptId: String
    /// The app's own name for its user.
    package let applicationUsername: String?
    package let subscriptionGroup: String?
    /// The purchase that it restores, if it does.
    package let restoredTransactionId: String?
    /// The family member's purchase of which it is a copy, if it is one.
    package let sharedTransactionId: String?
    /// The copies that the buyer's family has, or had.
    package let familyCopies: [SaleBody]
    /// The customer's refund request, if there was one.
    package let refund: RefundBody?
    /// What was given back because a better product took the period's place.
    package let upgradeRefundMilliunits: Int64?
    /// What the payment provider was asked for; absent if credit paid, or nobody was charged.
    package let payment: PaymentBody?
    /// The ledger's entries about it and about its payment, in their order.
    package let ledger: [LedgerEntryBody]

    package init(
        transaction: SaleBody, originallyPurchasedAt: Timestamp, deviceId: Int64,
        attemptId: String, applicationUsername: String?, subscriptionGroup: String?,
        restoredTransactionId: String?, sharedTransactionId: String?, familyCopies: [SaleBody],
        refund: RefundBody?, upgradeRefundMilliunits: Int64?, payment: PaymentBody?,
        ledger: [LedgerEntryBody]
    ) {
        self.transaction = transaction
        self.originallyPurchasedAt = originallyPurchasedAt
        self.deviceId = deviceId
        self.attemptId = attemptId
        self.applicationUsername = applicationUsername
        self.subscriptionGroup = subscriptionGroup
        self.restoredTransactionId = restoredTransactionId
        self.sharedTransactionId = sharedTransactionId
        self.familyCopies = familyCopies
        self.refund = refund
        self.upgradeRefundMilliunits = upgradeRefundMilliunits
        self.payment = payment
        self.ledger = ledger
    }
}
