package import StoreModel

/// Source: Apple, *MassExtendRenewalDateStatusResponse*.
package struct MassExtendRenewalDateStatusAnswer: Codable, Hashable, Sendable {
    package let requestIdentifier: String
    package let complete: Bool
    /// Nil, like the counts, until it is complete.
    package let completeDate: Timestamp?
    package let succeededCount: Int64?
    package let failedCount: Int64?

    package init(
        requestIdentifier: String, completeDate: Timestamp?, succeededCount: Int64,
        failedCount: Int64
    ) {
        self.requestIdentifier = requestIdentifier
        complete = completeDate != nil
        self.completeDate = completeDate
        self.succeededCount = completeDate.map { _ in succeededCount }
        self.failedCount = completeDate.map { _ in failedCount }
    }
}
