import Synchronization

/// The ways in which a test has this device differ from what the store and the customer would do.
package final class Simulation: Sendable {
    /// Everything as usual, at first.
    package struct Settings: Sendable {
        /// What `Product.products(for:)` throws.
        package var loadProducts: StoreKitError?
        /// What `purchase()` throws, before anything is bought.
        package var purchase: (any Error)?
        /// Why nothing that was signed is verified.
        package var verification: VerificationResult<Any>.VerificationError?
        /// Whether `AppStore.sync()` fails.
        package var failsSync = false
        /// Whether the statuses of a group cannot be had.
        package var failsStatuses = false
        /// Whether the app transaction cannot be had.
        package var failsAppTransaction = false
        /// The code that every payment fails with, of either API.
        package var failedPayments: SKError.Code?
        /// The customer's locale, such as `en_US`, instead of the environment's.
        package var locale: String?

        package init() {}
    }

    private let settings = Mutex(Settings())

    /// As they are now.
    package var present: Settings { settings.withLock { $0 } }

    /// Why nothing that was signed is verified; nil for its own verdict. Asked for each transaction of a
    /// list, so the rest is not copied.
    var verification: VerificationResult<Any>.VerificationError? {
        settings.withLock { $0.verification }
    }

    /// Changes them, for what begins from now on.
    package func change(_ body: @Sendable (inout Settings) -> Void) {
        settings.withLock { body(&$0) }
    }

    /// Why a payment fails; nil when it does not.
    var paymentFailure: FailureReason? {
        present.failedPayments.map { FailureReason($0, "This test has every payment fail.") }
    }
}

extension VerificationResult {
    /// The same value, which failed the verification if there is an error.
    func failing(_ error: VerificationResult<Any>.VerificationError?) -> Self {
        error.map { .unverified(unsafePayloadValue, VerificationError($0)) } ?? self
    }
}

extension VerificationResult.VerificationError {
    fileprivate init(_ other: VerificationResult<Any>.VerificationError) {
        self =
            switch other {
            case .revokedCertificate: .revokedCertificate
            case .invalidCertificateChain: .invalidCertificateChain
            case .invalidDeviceVerification: .invalidDeviceVerification
            case .invalidEncoding: .invalidEncoding
            case .invalidSignature: .invalidSignature
            case .missingRequiredProperties: .missingRequiredProperties
            }
    }
}
