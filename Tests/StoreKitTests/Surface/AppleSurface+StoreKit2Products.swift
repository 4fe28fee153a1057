extension AppleSurface {
    static let storeKit2Products = """
        struct Product : Identifiable, Sendable
            let id: String
            let type: Product.ProductType
            let displayName: String
            let description: String
            let price: Decimal
            let displayPrice: String
            let isFamilyShareable: Bool
            let subscription: Product.SubscriptionInfo?
            var jsonRepresentation: Data { get }
            static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product] where Identifiers : Collection, Identifiers.Element == String
            @MainActor func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult
            @MainActor func purchase(confirmIn scene: some UIScene, options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult
            @MainActor func purchase(confirmIn viewController: UIViewController, options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult
            var latestTransaction: VerificationResult<Transaction>? { get async }
            var currentEntitlement: VerificationResult<Transaction>? { get async }
            var currentEntitlements: Transaction.Transactions { get }
            var priceFormatStyle: Decimal.FormatStyle.Currency { get }
            var subscriptionPeriodFormatStyle: Date.ComponentsFormatStyle { get }
            var subscriptionPeriodUnitFormatStyle: Product.SubscriptionPeriod.Unit.FormatStyle { get }
            static func == (lhs: Product, rhs: Product) -> Bool
            func hash(into hasher: inout Hasher)
            var debugDescription: String { get }
            struct SubscriptionPeriod : Sendable
            struct SubscriptionOffer : Sendable
            struct SubscriptionInfo : Sendable
            struct PurchaseOption : Sendable
            enum PurchaseResult : Sendable
            enum PurchaseError : Error, LocalizedError, Sendable
            struct PromotionInfo
            struct SubscriptionRelationship : ExpressibleByArrayLiteral, OptionSet, RawRepresentable, SetAlgebra
            enum TaskState : Sendable
            enum CollectionTaskState : Sendable
        extension Product.PurchaseOption
            static func appAccountToken(_ token: UUID) -> Product.PurchaseOption
            static func quantity(_ quantity: Int) -> Product.PurchaseOption
            static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Product.PurchaseOption
            static func custom(key: String, value: String) -> Product.PurchaseOption
            static func custom(key: String, value: Double) -> Product.PurchaseOption
            static func custom(key: String, value: Bool) -> Product.PurchaseOption
            static func custom(key: String, value: Data) -> Product.PurchaseOption
            static func onStorefrontChange(shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool) -> Product.PurchaseOption
            static func promotionalOffer(offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int) -> Product.PurchaseOption
            static func promotionalOffer(offerID: String, signature: Product.SubscriptionOffer.Signature) -> Product.PurchaseOption
            static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption]
            static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption
            static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption
            static func billingPlanType(_ billingPlanType: Product.SubscriptionInfo.BillingPlanType) -> Product.PurchaseOption
            var debugDescription: String { get }
        extension Product.PurchaseResult
            case success(VerificationResult<Transaction>)
            case userCancelled
            case pending
        extension Product.PurchaseError
            case invalidQuantity
            case productUnavailable
            case purchaseNotAllowed
            case ineligibleForOffer
            case invalidOfferIdentifier
            case invalidOfferPrice
            case invalidOfferSignature
            case missingOfferParameters
            case paymentMethodBindingConfigurationRequired
            var errorDescription: String? { get }
            var failureReason: String? { get }
            var recoverySuggestion: String? { get }
        extension Product.PromotionInfo
            let productID: Product.ID
            var visibility: Product.PromotionInfo.Visibility
            func update() async throws
            static var currentOrder: [Product.PromotionInfo] { get async throws }
            static func updateProductOrder(byID order: some Collection<String>) async throws
            static func updateProductVisibility(_ visibility: Product.PromotionInfo.Visibility, for productID: Product.ID) async throws
            static func updateAll(_ promotions: some Collection<Product.PromotionInfo>) async throws
            enum Visibility : RawRepresentable, Sendable
        extension Product.PromotionInfo.Visibility
            init?(rawValue: Int)
            case appStoreConnectDefault
            case visible
            case hidden
        extension Product.SubscriptionRelationship
            let rawValue: Int
            init(rawValue: Int)
            static var current: Product.SubscriptionRelationship { get }
            static var downgrade: Product.SubscriptionRelationship { get }
            static var crossgrade: Product.SubscriptionRelationship { get }
            static var upgrade: Product.SubscriptionRelationship { get }
            static var all: Product.SubscriptionRelationship { get }
        extension Product.TaskState
            case loading
            case unavailable
            case failure(any Error)
            case success(Product)
        extension Product.CollectionTaskState
            case loading
            case failure(any Error)
            case success([Product], unavailable: [Product.ID])
        """

    static let storeKit2Subscriptions = """
        extension Product.SubscriptionPeriod
            let unit: Product.SubscriptionPeriod.Unit
            let value: Int
            static var weekly: Product.SubscriptionPeriod { get }
            static var monthly: Product.SubscriptionPeriod { get }
            static var yearly: Product.SubscriptionPeriod { get }
            static var everyThreeDays: Product.SubscriptionPeriod { get }
            static var everyTwoWeeks: Product.SubscriptionPeriod { get }
            static var everyTwoMonths: Product.SubscriptionPeriod { get }
            static var everyThreeMonths: Product.SubscriptionPeriod { get }
            static var everySixMonths: Product.SubscriptionPeriod { get }
            func dateRange(referenceDate: Date = .now) -> Range<Date>
            func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput where S : FormatStyle, S.FormatInput == Range<Date>
            func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput where S : FormatStyle, S.FormatInput == Duration
            var debugDescription: String { get }
            enum Unit : Comparable, Sendable
        extension Product.SubscriptionPeriod.Unit
            case day
            case week
            case month
            case year
            var localizedDescription: String { get }
            func formatted<S>(_ format: S) -> S.FormatOutput where S : FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit
            var debugDescription: String { get }
            struct FormatStyle : Decodable, Encodable, FormatStyle, Sendable
        extension Product.SubscriptionPeriod.Unit.FormatStyle
            func format(_ value: Product.SubscriptionPeriod.Unit) -> String
            func locale(_ locale: Locale) -> Product.SubscriptionPeriod.Unit.FormatStyle
        extension Product.SubscriptionOffer
            let id: String?
            let type: Product.SubscriptionOffer.OfferType
            let price: Decimal
            let displayPrice: String
            let period: Product.SubscriptionPeriod
            let periodCount: Int
            let paymentMode: Product.SubscriptionOffer.PaymentMode
            struct Signature : Sendable
        extension Product.SubscriptionOffer.Signature
            var keyID: String
            var nonce: UUID
            var timestamp: Int
            var signature: Data
            init(keyID: String, nonce: UUID, timestamp: Int, signature: Data)
        extension Product.SubscriptionInfo
            let introductoryOffer: Product.SubscriptionOffer?
            let promotionalOffers: [Product.SubscriptionOffer]
            let winBackOffers: [Product.SubscriptionOffer]
            let subscriptionGroupID: String
            let subscriptionPeriod: Product.SubscriptionPeriod
            let pricingTerms: [Product.SubscriptionInfo.PricingTerms]
            var groupLevel: Int { get }
            var groupDisplayName: String { get }
            var isEligibleForIntroOffer: Bool { get async }
            static func isEligibleForIntroOffer(for groupID: String) async -> Bool
            var status: [Product.SubscriptionInfo.Status] { get async throws }
            static func status(for groupID: String) async throws -> [Product.SubscriptionInfo.Status]
            static func status(transactionID: UInt64) async throws -> SubscriptionStatus?
            typealias BillingPeriod = Product.SubscriptionPeriod
            struct Status : Sendable
            struct RenewalInfo : Sendable
            struct PricingTerms : Sendable
            struct CommitmentInfo : Sendable
        extension Product.SubscriptionInfo.CommitmentInfo
            let price: Decimal
            let displayPrice: String
            let period: Product.SubscriptionPeriod
        extension Product.SubscriptionInfo.PricingTerms
            let billingPlanType: Product.SubscriptionInfo.BillingPlanType
            let billingPrice: Decimal
            let billingDisplayPrice: String
            let billingPeriod: Product.SubscriptionInfo.BillingPeriod
            let commitmentInfo: Product.SubscriptionInfo.CommitmentInfo
            let subscriptionOffers: [Product.SubscriptionOffer]
            subscript(offers type: Product.SubscriptionOffer.OfferType) -> [Product.SubscriptionOffer] { get }
        extension Product.SubscriptionInfo.Status
            let state: Product.SubscriptionInfo.RenewalState
            let transaction: VerificationResult<Transaction>
            let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
            static var updates: Product.SubscriptionInfo.Status.Statuses { get }
            static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> { get }
        extension Product.SubscriptionInfo.RenewalInfo
            var jsonRepresentation: Data { get }
            let originalTransactionID: UInt64
            let currentProductID: String
            let willAutoRenew: Bool
            let autoRenewPreference: String?
            let expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason?
            let priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
            let isInBillingRetry: Bool
            let gracePeriodExpirationDate: Date?
            let offer: Transaction.Offer?
            var offerID: String? { get }
            var offerType: Transaction.OfferType? { get }
            var offerPaymentModeStringRepresentation: String? { get }
            var offerPeriodStringRepresentation: String? { get }
            let environment: AppStore.Environment
            var environmentStringRepresentation: String { get }
            var recentSubscriptionStartDate: Date { get }
            var renewalDate: Date? { get }
            var renewalPrice: Decimal? { get }
            var currency: Locale.Currency? { get }
            var currencyCode: String? { get }
            let eligibleWinBackOfferIDs: [String]
            let deviceVerification: Data
            let deviceVerificationNonce: UUID
            let signedDate: Date
            let advancedCommerceInfo: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo?
            var appAccountToken: UUID? { get }
            var appTransactionID: String { get }
            let commitmentInfo: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo?
            var renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType? { get }
            static func == (lhs: Product.SubscriptionInfo.RenewalInfo, rhs: Product.SubscriptionInfo.RenewalInfo) -> Bool
            func hash(into hasher: inout Hasher)
            var debugDescription: String { get }
            @frozen enum PriceIncreaseStatus : Sendable
            struct CommitmentInfo : Sendable
            struct AdvancedCommerceInfo : Sendable
        extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
            case noIncreasePending
            case pending
            case agreed
            var localizedDescription: String { get }
        extension Product.SubscriptionInfo.RenewalInfo.CommitmentInfo
            let autoRenewPreference: String
            let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
            let renewalDate: Date
            let renewalPrice: Decimal
            let willAutoRenew: Bool
        extension Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo
            let consistencyToken: String
            let requestReferenceID: String
            let taxCode: String
            let description: String
            let displayName: String
            let period: Product.SubscriptionPeriod
            let items: [Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item]
            struct Item : Sendable
        extension Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item
            let details: Transaction.AdvancedCommerceInfo.Item.Details
        """
}
