package import StoreModel

/// Source: Apple, *ExtendRenewalDateResponse*.
package struct ExtendRenewalDateAnswer: Codable, Hashable, Sendable {
    /// When the subscription now renews.
    package let effectiveDate: Timestamp
    package let originalTransactionId: String
    package let success: Bool
    package let webOrderLineItemId: String?

    package init(
        effectiveDate: Timestamp, originalTransactionId: String, success: Bool,
        webOrderLineItemId: String?
    ) {
        self.effectiveDate = effectiveDate
        self.originalTransactionId = originalTransactionId
        self.success = success
        self.webOrderLineItemId = webOrderLineItemId
    }
}
