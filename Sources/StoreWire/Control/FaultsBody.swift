/// `GET` and `PUT /control/v1/faults`: the store's injected faults.
package struct FaultsBody: Codable, Hashable, Sendable {
    /// Null or absent for none.
    package let verifyReceipt: ReceiptFaultBody?

    package init(verifyReceipt: ReceiptFaultBody?) {
        self.verifyReceipt = verifyReceipt
    }
}

/// A status that `verifyReceipt` returns instead of its answer.
package struct ReceiptFaultBody: Codable, Hashable, Sendable {
    /// 21005, 21009, 21010, or 21100 to 21199.
    package let status: Int
    /// Only for 21100 to 21199.
    package let isRetryable: Bool?
    /// The number of requests; absent to last until it is cleared.
    package let count: Int?

    package init(status: Int, isRetryable: Bool?, count: Int?) {
        self.status = status
        self.isRetryable = isRetryable
        self.count = count
    }
}
