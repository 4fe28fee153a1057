extension AppleSurface {
    static let storeKit2Transactions = """
        struct Transaction : Identifiable, Sendable
            let id: UInt64
            let originalID: UInt64
            let webOrderLineItemID: String?
            let productID: String
            let subscriptionGroupID: String?
            let appBundleID: String
            let purchaseDate: Date
            let originalPurchaseDate: Date
            let expirationDate: Date?
            let purchasedQuantity: Int
            let isUpgraded: Bool
            let offer: Transaction.Offer?
            var offerType: Transaction.OfferType? { get }
            var offerID: String? { get }
            var offerPaymentModeStringRepresentation: String? { get }
            var offerPeriodStringRepresentation: String? { get }
            let revocationDate: Date?
            let revocationReason: Transaction.RevocationReason?
            let revocationType: Transaction.RevocationType?
            var revocationTypeStringRepresentation: String? { get }
            var revocationPercentage: Decimal? { get }
            let productType: Product.ProductType
            let appAccountToken: UUID?
            let environment: AppStore.Environment
            var environmentStringRepresentation: String { get }
            let reason: Transaction.Reason
            var reasonStringRepresentation: String { get }
            let storefront: Storefront
            var storefrontCountryCode: String { get }
            var price: Decimal? { get }
            let currency: Locale.Currency?
            var currencyCode: String? { get }
            var appTransactionID: String { get }
            let deviceVerification: Data
            let deviceVerificationNonce: UUID
            let ownershipType: Transaction.OwnershipType
            let signedDate: Date
            let advancedCommerceInfo: Transaction.AdvancedCommerceInfo?
            let billingPlanType: Product.SubscriptionInfo.BillingPlanType?
            let commitmentInfo: Transaction.CommitmentInfo?
            var jsonRepresentation: Data { get }
            func finish() async
            static var all: Transaction.Transactions { get }
            static var currentEntitlements: Transaction.Transactions { get }
            static var unfinished: Transaction.Transactions { get }
            static var updates: Transaction.Transactions { get }
            static func all(for productID: String) -> Transaction.Transactions
            static func currentEntitlements(for productID: String) -> Transaction.Transactions
            static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>?
            static func latest(for productID: String) async -> VerificationResult<Transaction>?
            var subscriptionStatus: Product.SubscriptionInfo.Status? { get async }
            func beginRefundRequest(in scene: UIWindowScene) async throws -> Transaction.RefundRequestStatus
            @MainActor static func beginRefundRequest(for transactionID: UInt64, in scene: UIWindowScene) async throws -> Transaction.RefundRequestStatus
            static func == (lhs: Transaction, rhs: Transaction) -> Bool
            func hash(into hasher: inout Hasher)
            var debugDescription: String { get }
            struct Offer : Sendable
            struct CommitmentInfo : Sendable
            struct AdvancedCommerceInfo : Sendable
            enum RefundRequestError : Error, LocalizedError, Sendable
            enum RefundRequestStatus : Sendable
        extension Transaction.Offer
            let id: String?
            let type: Transaction.OfferType
            let paymentMode: Transaction.Offer.PaymentMode?
            let period: Product.SubscriptionPeriod?
        extension Transaction.CommitmentInfo
            let expirationDate: Date
            let billingPeriodNumber: UInt64
            let totalBillingPeriods: UInt64
            let price: Decimal
        extension Transaction.RefundRequestError
            case duplicateRequest
            case failed
            var errorDescription: String? { get }
            var failureReason: String? { get }
            var recoverySuggestion: String? { get }
        extension Transaction.RefundRequestStatus
            case success
            case userCancelled
        extension Transaction.AdvancedCommerceInfo
            let requestReferenceID: String
            let taxCode: String
            let estimatedTax: Decimal
            let taxRate: Decimal
            let taxExclusivePrice: Decimal
            let description: String?
            let displayName: String?
            let period: Product.SubscriptionPeriod?
            let items: [Transaction.AdvancedCommerceInfo.Item]
            struct Item : Sendable
            struct Offer : Sendable
            struct Refund : Sendable
        extension Transaction.AdvancedCommerceInfo.Item
            let details: Transaction.AdvancedCommerceInfo.Item.Details
            let refunds: [Transaction.AdvancedCommerceInfo.Refund]?
            let revocationDate: Date?
            struct Details : Sendable
        extension Transaction.AdvancedCommerceInfo.Item.Details
            let sku: String
            let displayName: String
            let description: String
            let offer: Transaction.AdvancedCommerceInfo.Offer?
            let price: Decimal
        extension Transaction.AdvancedCommerceInfo.Offer
            let price: Decimal
            let period: Product.SubscriptionPeriod
            let periodCount: Int
            let reason: Transaction.AdvancedCommerceInfo.Offer.Reason
        extension Transaction.AdvancedCommerceInfo.Refund
            let reason: Transaction.AdvancedCommerceInfo.Refund.Reason
            let type: Transaction.AdvancedCommerceInfo.Refund.RefundType
            let date: Date
            let amount: Decimal
        """
}
