package import StoreModel

/// The status numbers of Apple's `verifyReceipt` that this store returns.
package enum VerifyReceiptStatus: Int, CaseIterable, Sendable {
    case valid = 0
    case requestUnreadable = 21000
    case receiptMalformed = 21002
    case receiptNotAuthentic = 21003
    case secretWrong = 21004
    case temporarilyUnavailable = 21005
    case subscriptionExpired = 21006
    case sandboxReceiptInProduction = 21007
    case productionReceiptInSandbox = 21008
    case internalError = 21009
    case accountUnknown = 21010

    /// What the status means, in one sentence. Source: Apple, *responseBody.Status*.
    package var meaning: String {
        switch self {
        case .valid: "The receipt is valid."
        case .requestUnreadable: "The request is not a POST, or its body is not JSON."
        case .receiptMalformed: "receipt-data is missing or not a receipt."
        case .receiptNotAuthentic: "The receipt is not authentic."
        case .secretWrong:
            "The receipt has auto-renewable subscriptions, and the shared secret is missing or wrong."
        case .temporarilyUnavailable:
            "The store cannot verify receipts at the moment; ask again."
        case .subscriptionExpired:
            "The receipt, that of one transaction, is valid, but its subscription has ended."
        case .sandboxReceiptInProduction: "The receipt is of the sandbox; this is production."
        case .productionReceiptInSandbox: "The receipt is of production; this is the sandbox."
        case .internalError: "The store's data cannot be read."
        case .accountUnknown: "The receipt's account was deleted, or never existed."
        }
    }
}

/// Whether the request has a `password` that fits the receipt.
package enum SecretCheck: Hashable, CaseIterable, Sendable {
    /// The receipt does not contain auto-renewable subscriptions: a secret is not needed, and any
    /// that is sent is ignored.
    case notNeeded
    case right
    /// Missing, unknown, ended or revoked.
    case wrong
}

package enum VerifyReceiptRules {
    /// Whether a receipt with purchases of these kinds requires a shared secret.
    package static func needsSecret(_ kinds: some Sequence<ProductKind>) -> Bool {
        kinds.contains(.autoRenewable)
    }

    /// The status of an authentic receipt: a request at the wrong address is sent to the other one
    /// before its secret is checked.
    package static func status(
        ofReceiptFrom issued: StoreEnvironment, at asked: StoreEnvironment, secret: SecretCheck
    ) -> VerifyReceiptStatus {
        let status = status(ofReceiptFrom: issued, at: asked)
        return status == .valid && secret == .wrong ? .secretWrong : status
    }

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
