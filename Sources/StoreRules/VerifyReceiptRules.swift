package import StoreModel

/// Apple's status numbers of `verifyReceipt` that this store gives.
package enum VerifyReceiptStatus: Int, CaseIterable, Sendable {
    case valid = 0
    /// Not a POST, or the body is no JSON.
    case requestUnreadable = 21000
    /// `receipt-data` is missing or no receipt.
    case receiptMalformed = 21002
    /// The receipt's signature or chain does not hold.
    case receiptNotAuthentic = 21003
    /// The receipt is of an auto-renewable subscription, and `password` is no shared secret.
    case sharedSecretWrong = 21004
    /// A sandbox receipt at the production address.
    case sandboxReceiptInProduction = 21007
    /// A production receipt at the sandbox address.
    case productionReceiptInSandbox = 21008
}

package enum VerifyReceiptRules {
    /// The status of an authentic receipt at an environment's address.
    package static func status(
        ofReceiptFrom issued: StoreEnvironment, at asked: StoreEnvironment
    ) -> VerifyReceiptStatus {
        switch (issued, asked) {
        case (.production, .production), (.sandbox, .sandbox): .valid
        case (.sandbox, .production): .sandboxReceiptInProduction
        case (.production, .sandbox): .productionReceiptInSandbox
        }
    }
}
