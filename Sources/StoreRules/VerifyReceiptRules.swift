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
    /// The receipt holds auto-renewable subscriptions and the shared secret is missing or wrong.
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
    /// Whose receipt it is has no account any more.
    case accountUnknown = 21010
}

/// Whether a `password` came that fits the receipt.
package enum SecretCheck: Hashable, CaseIterable, Sendable {
    /// The receipt holds no auto-renewable subscription: none is asked for, and any is passed over.
    case notNeeded
    case right
    /// Missing, unknown, ended or revoked.
    case wrong
}

package enum VerifyReceiptRules {
    /// Whether a receipt with purchases of these kinds asks for a shared secret.
    package static func needsSecret(_ kinds: some Sequence<ProductKind>) -> Bool {
        kinds.contains(.autoRenewable)
    }

    /// The status of an authentic receipt: whoever is at the wrong address is sent to the other
    /// one before anything is said of the secret.
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
