/// The revocation of a purchase.
package struct Revocation: Hashable, Sendable {
    package enum Reason: String, Codable, CaseIterable, Sendable {
        /// An actual or supposed fault of the app.
        case issue
        case other

        /// As receipts and `verifyReceipt` write it.
        package var receiptNumber: Int64 {
            switch self {
            case .issue: 1
            case .other: 0
            }
        }
    }

    package let reason: Reason
    package let at: Timestamp

    package init(reason: Reason, at: Timestamp) {
        self.reason = reason
        self.at = at
    }
}
