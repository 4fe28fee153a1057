import Foundation
import Testing

@testable import StoreKit

/// Names and numbers that apps rely on.
@Suite struct StoreKit2ValueTests {
    private static let storeErrors: [StoreKitError] = [
        .unknown, .userCancelled, .networkError(URLError(.timedOut)),
        .systemError(CocoaError(.fileNoSuchFile)), .notAvailableInStorefront, .notEntitled,
        .unsupported,
    ]
    private static let purchaseErrors: [Product.PurchaseError] = [
        .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
        .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
        .missingOfferParameters, .paymentMethodBindingConfigurationRequired,
    ]
    private static let refundErrors: [Transaction.RefundRequestError] = [
        .duplicateRequest, .failed,
    ]
    private static let errors =
        storeErrors.map { $0 as any LocalizedError & Sendable }
        + purchaseErrors.map { $0 as any LocalizedError & Sendable }
        + refundErrors.map { $0 as any LocalizedError & Sendable }

    @Test func `texts have Apple's raw values`() {
        #expect(Product.ProductType.nonRenewable.rawValue == "Non-Renewing Subscription")
        #expect(Product.ProductType.nonConsumable.rawValue == "Non-Consumable")
        #expect(Product.SubscriptionOffer.PaymentMode.freeTrial.rawValue == "FreeTrial")
        #expect(Transaction.Offer.PaymentMode.oneTime.rawValue == "ONE_TIME")
        #expect(Transaction.OwnershipType.familyShared.rawValue == "FAMILY_SHARED")
        #expect(Transaction.Reason.purchase.rawValue == "PURCHASE")
        #expect(Transaction.RevocationType.fullRefund.rawValue == "REFUND_FULL")
        #expect(Transaction.RevocationType.familyRevocation.rawValue == "FAMILY_REVOKE")
        let environments: [AppStore.Environment] = [.production, .sandbox, .xcode]
        #expect(environments.map(\.rawValue) == ["Production", "Sandbox", "Xcode"])
        let platforms: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS]
        #expect(platforms.map(\.rawValue) == ["iOS", "macOS", "tvOS", "visionOS"])
    }

    @Test func `numbers have Apple's raw values`() {
        let states: [Product.SubscriptionInfo.RenewalState] = [
            .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
        ]
        #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5])
        let reasons: [Product.SubscriptionInfo.RenewalInfo.ExpirationReason] = [
            .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable,
            .unknown,
        ]
        #expect(reasons.map(\.rawValue) == [1, 2, 3, 4, 5])
        let offers: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
        #expect(offers.map(\.rawValue) == [1, 2, 3, 4])
        let revocations: [Transaction.RevocationReason] = [.other, .developerIssue]
        #expect(revocations.map(\.rawValue) == [0, 1])
        let messages: [Message.Reason] = [
            .generic, .priceIncreaseConsent, .billingIssue, .winBackOffer,
        ]
        #expect(messages.map(\.rawValue) == [0, 1, 2, 3])
        let visibilities: [Product.PromotionInfo.Visibility] = [
            .appStoreConnectDefault, .visible, .hidden,
        ]
        #expect(visibilities.map(\.rawValue) == [0, 1, 2])
    }

    @Test func `known and unknown values have a name for people`() {
        #expect(
            Product.SubscriptionInfo.RenewalState.inGracePeriod.localizedDescription
                == "In Grace Period")
        #expect(Product.SubscriptionInfo.RenewalState(rawValue: 9).localizedDescription == "9")
        #expect(Message.Reason(rawValue: 9).localizedDescription == "9")
        #expect(
            Product.SubscriptionOffer.OfferType(rawValue: "new").localizedDescription == "new")
        #expect(Transaction.RevocationReason.other.localizedDescription == "Other")
    }

    @Test(arguments: errors)
    func `an error says what went wrong, why, and what may help`(
        error: any LocalizedError & Sendable
    ) {
        #expect(error.errorDescription?.hasSuffix(".") == true)
        #expect(error.failureReason?.isEmpty == false)
        #expect(error.recoverySuggestion?.hasSuffix(".") == true)
        #expect((error as any Error).localizedDescription == error.errorDescription)
    }

    @Test(arguments: [
        VerificationResult<Transaction>.VerificationError.revokedCertificate,
        .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding, .invalidSignature,
        .missingRequiredProperties,
    ])
    func `a verification error says why`(
        error: VerificationResult<Transaction>.VerificationError
    ) {
        #expect(error.errorDescription?.isEmpty == false)
        #expect(error.failureReason?.isEmpty == false)
        #expect(error.recoverySuggestion?.isEmpty == false)
    }

    @Test func `how subscriptions of a group stand to each other is a set`() {
        let all = Product.SubscriptionRelationship.all
        #expect(all.contains(.upgrade) && all.contains(.downgrade))
        #expect(all.subtracting([.upgrade, .downgrade, .crossgrade]) == .current)
    }

    @Test func `a view's state gives what is known of an entitlement`() throws {
        let transaction = VerificationResult.verified(
            try Transaction(SignedSamples.signed(SignedSamples.transaction)))
        typealias State = EntitlementTaskState<VerificationResult<Transaction>?>
        #expect(State.success(transaction).transaction == transaction)
        #expect(State.success(nil).transaction == nil)
        #expect(State.loading.transaction == nil)
        #expect(EntitlementTaskState.success(2).map { $0 + 1 }.value == 3)
        #expect(EntitlementTaskState.success(2).flatMap { _ in State.loading }.transaction == nil)
        let failed = EntitlementTaskState<Int>.failure(StoreKitError.userCancelled).map { $0 + 1 }
        if case .failure(StoreKitError.userCancelled) = failed { return }
        Issue.record("another state: \(failed)")
    }
}
