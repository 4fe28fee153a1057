package import StoreModel

/// `GET` and `PUT /control/v1/faults`: the store's injected faults.
package struct FaultsBody: Codable, Hashable, Sendable {
    /// Null or absent for none.
    package var verifyReceipt: ReceiptFaultBody?
    /// Of whole requests, at most one for each path and environment; absent for none.
    package var requests: [RequestFaultBody]?

    package init(verifyReceipt: ReceiptFaultBody?, requests: [RequestFaultBody]? = nil) {
        self.verifyReceipt = verifyReceipt
        self.requests = requests
    }
}

/// What requests to an address get instead of an answer, or after a time.
package struct RequestFaultBody: Codable, Hashable, Sendable {
    /// Below the environment, as `/inApps/v1/transactions/{transactionId}`.
    package let path: String
    /// Absent for both.
    package var environment: StoreEnvironment?
    /// 400 to 599.
    package var status: Int?
    /// Of the App Store Server API, such as 5000001.
    package var errorCode: Int?
    /// Whether the connection is closed without an answer.
    package var breaks: Bool?
    /// How long until then, or until the usual answer.
    package var delayMilliseconds: Int?
    /// The number of requests that meet it; absent to last until it is cleared.
    package var count: Int?
    /// How many requests in a hundred meet it, 1 to 100; absent for all.
    package var percentage: Int?
    /// Decides which ones; 0 when absent. Only with a percentage.
    package var seed: Int64?

    package init(path: String) {
        self.path = path
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
