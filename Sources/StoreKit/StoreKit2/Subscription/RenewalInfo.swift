public import Foundation

extension Product.SubscriptionInfo {
    /// What a subscription's next renewal will be, as the store signed it.
    ///
    /// Apple:
    /// <https://developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalinfo>
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct RenewalInfo: Sendable {
        let signed: SignedText

        /// The number of the subscription's first transaction.
        public let originalTransactionID: UInt64
        /// The product of the present period.
        public let currentProductID: String
        /// Whether it will renew.
        public let willAutoRenew: Bool
        /// The product of the next period.
        public let autoRenewPreference: String?
        /// Why it ended; nil if it did not.
        public let expirationReason: ExpirationReason?
        /// Whether the price rises, and whether the customer agreed to it.
        public let priceIncreaseStatus: PriceIncreaseStatus
        /// Whether the store tries to charge for it.
        public let isInBillingRetry: Bool
        /// When the days of grace end; nil if there are none.
        public let gracePeriodExpirationDate: Date?
        /// The offer of the next period.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let offer: Transaction.Offer?
        /// Where it was bought.
        @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
        public let environment: AppStore.Environment
        /// Since when the customer subscribes: gaps of up to 60 days do not count.
        public var recentSubscriptionStartDate: Date { startDate }
        /// When it renews, or when it ended.
        public var renewalDate: Date? { nextDate }
        /// The price of the next period, in `currency`.
        public var renewalPrice: Decimal? { nextPrice }
        /// The currency of `renewalPrice`.
        @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
        public var currency: Locale.Currency? { nextCurrency }
        /// The win-back offers that the customer may have, the best one first.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public let eligibleWinBackOfferIDs: [String]
        /// The digest by which the data are for this device.
        public let deviceVerification: Data
        /// The number that went into the digest.
        public let deviceVerificationNonce: UUID
        /// When the store signed it.
        public let signedDate: Date
        /// What an app that keeps its own catalogue sells; nil for other apps.
        @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
        public let advancedCommerceInfo: AdvancedCommerceInfo?
        /// The app's own name of the subscriber.
        public var appAccountToken: UUID? { account }
        /// The number of the account's copy of the app; empty if the store did not sign one.
        public var appTransactionID: String { appTransaction }
        /// The commitment that runs; nil if none does.
        @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
        public let commitmentInfo: CommitmentInfo?
        /// How the next period is charged.
        @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
        public var renewalBillingPlanType: BillingPlanType? { nextPlan }

        let offerPeriod: String?
        private let startDate: Date
        private let nextDate: Date?
        private let nextPrice: Decimal?
        private let nextCurrency: Locale.Currency?
        private let account: UUID?
        private let appTransaction: String
        private let nextPlan: BillingPlanType?

        /// Reads a renewal, whatever its signature is worth.
        init(_ signed: SignedText, _ payload: PayloadMembers) throws(MissingProperty) {
            self.signed = signed
            originalTransactionID = try payload.required(
                "originalTransactionId", payload.transactionID)
            currentProductID = try payload.required("productId", payload.text)
            willAutoRenew = try payload.required("autoRenewStatus", payload.integer) == 1
            autoRenewPreference = payload.text("autoRenewProductId")
            expirationReason = payload.integer("expirationIntent").map { .init(rawValue: $0) }
            priceIncreaseStatus =
                switch payload.integer("priceIncreaseStatus") {
                case nil: .noIncreasePending
                case 0: .pending
                default: .agreed
                }
            isInBillingRetry = payload.flag("isInBillingRetryPeriod") ?? false
            gracePeriodExpirationDate = payload.date("gracePeriodExpiresDate")
            offer = Transaction.Offer(payload)
            environment = .init(rawValue: try payload.required("environment", payload.text))
            startDate = try payload.required("recentSubscriptionStartDate", payload.date)
            nextDate = payload.date("renewalDate")
            nextPrice = payload.milliunits("renewalPrice")
            nextCurrency = payload.currency("currency")
            eligibleWinBackOfferIDs = payload.texts("eligibleWinBackOfferIds")
            let device = DeviceVerification(payload)
            deviceVerification = device.digest
            deviceVerificationNonce = device.nonce
            signedDate = try payload.required("signedDate", payload.date)
            advancedCommerceInfo = payload.object("advancedCommerceInfo")
                .flatMap { AdvancedCommerceInfo($0) }
            account = payload.uuid("appAccountToken")
            appTransaction = payload.text("appTransactionId") ?? ""
            commitmentInfo = payload.object("commitmentInfo").flatMap { CommitmentInfo($0) }
            nextPlan = payload.text("renewalBillingPlanType").map { .init(signedName: $0) }
            offerPeriod = payload.text("offerPeriod")
        }

        /// The payload that the store signed: JSON.
        public var jsonRepresentation: Data { signed.payload }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: SignedValue {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo: Hashable {
    /// Whether both are the same text: what is signed again is another value.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.signed == rhs.signed }

    /// Hashes the number of the subscription's first transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(originalTransactionID)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The payload that the store signed: JSON.
    public var debugDescription: String { String(decoding: signed.payload, as: UTF8.self) }
}

// The texts that stood in for types of later systems.

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo.RenewalInfo {
    /// The identifier of the next period's offer.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 18.0.")
    public var offerID: String? { offer?.id }

    /// The kind of the next period's offer.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 18.0.")
    public var offerType: Transaction.OfferType? { offer?.type }

    /// How the next period's offer is paid.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 18.0.")
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }

    /// The length of the next period's offer, as an ISO 8601 duration.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 18.4.")
    public var offerPeriodStringRepresentation: String? { offerPeriod }

    /// Where it was bought.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use environment, since iOS 16.0.")
    public var environmentStringRepresentation: String { environment.rawValue }

    /// The currency of `renewalPrice`.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use currency, since iOS 16.0.")
    public var currencyCode: String? { currency?.identifier }
}
