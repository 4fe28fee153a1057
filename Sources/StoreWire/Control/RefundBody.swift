package import StoreModel

/// `GET /control/v1/refunds`: those of the world, oldest purchase first.
package struct RefundsBody: Codable, Hashable, Sendable {
    package let refunds: [RefundBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(refunds: [RefundBody], next: Int64?) {
        self.refunds = refunds
        self.next = next
    }
}

/// A customer's refund request, and its outcome. Dates are milliseconds since 1970, by the world's
/// clock.
package struct RefundBody: Codable, Hashable, Sendable {
    /// The purchase, which names the request.
    package let transactionId: String
    package let environment: StoreEnvironment
    package let account: String
    package let bundleId: String
    package let productId: String
    package let state: Refund.State
    package let reason: RefundReason
    package let requestDate: Timestamp
    /// Until when the app's report counts.
    package let consumptionDueDate: Timestamp
    /// What the app reported as consumed, if it did.
    package let consumption: Consumption?
    package let consumptionDate: Timestamp?
    /// Present if it was granted, even if that was reversed.
    package let revocationType: RefundType?
    /// In thousandths of a percent.
    package let revocationPercentage: Int64?
    package let revocationDate: Timestamp?
    package let refundMilliunits: Int64?
    package let currency: String?
    package let declineDate: Timestamp?
    package let reversalDate: Timestamp?

    package init(
        _ refund: Refund, environment: StoreEnvironment, account: String, bundleId: String,
        productId: String, consumptionDueDate: Timestamp
    ) {
        transactionId = "\(refund.transaction)"
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        self.productId = productId
        state = refund.state
        reason = refund.reason
        requestDate = refund.requestedAt
        self.consumptionDueDate = consumptionDueDate
        consumption = refund.answer?.consumption
        consumptionDate = refund.answer?.at
        revocationType = refund.grant?.type
        revocationPercentage = refund.grant?.percentage
        revocationDate = refund.grant?.at
        refundMilliunits = refund.grant?.amount.milliunits
        currency = refund.grant?.amount.currency.code
        if case .declined(let at) = refund.decision { declineDate = at } else { declineDate = nil }
        if case .reversed(_, let at) = refund.decision {
            reversalDate = at
        } else {
            reversalDate = nil
        }
    }
}

/// `POST /control/v1/refunds/{transactionId}/request`
package struct RequestRefundBody: Codable, Hashable, Sendable {
    package let reason: RefundReason

    package init(reason: RefundReason) {
        self.reason = reason
    }
}

/// `POST /control/v1/refunds/{transactionId}/grant`
package struct GrantRefundBody: Codable, Hashable, Sendable {
    package let type: RefundType

    package init(type: RefundType) {
        self.type = type
    }
}
