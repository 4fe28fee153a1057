package import StoreModel

/// The status numbers of Apple's `verifyReceipt` that this store returns.
package enum VerifyReceiptStatus: Int, CaseIterable, Sendable {
    case valid = 0
    /// Not a POST, or the body is not JSON.
    case requestUnreadable = 21000
    /// `receipt-data` is missing or not a receipt.
    case receiptMalformed = 21002
    /// The receipt's signature or chain is not valid.
    case receiptNotAuthentic = 21003
    /// The receipt contains auto-renewable subscriptions and the shared secret is missing or wrong.
    case secretWrong = 21004
    /// The store cannot look something up just now.
    case temporarilyUnavailable = 21005
    /// The transaction receipt is valid and its subscription has ended.
    case subscriptionExpired = 21006
    /// A sandbox receipt at the production address.
    case sandboxReceiptInProduction = 21007
    /// A production receipt at the sandbox address.
    case productionReceiptInSandbox = 21008
    /// The store's own data cannot be read.
    case internalError = 21009
    /// The receipt's account was deleted, or no longer exists.
    case accountUnknown = 21010
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
