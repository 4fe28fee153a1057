/// StoreKit 2 as Apple's interface of iOS 26.5 declares it; operators, hashing, what the compiler
/// makes and what is of a type's conformances are left out.
extension AppleSurface {
    static let storeKit2 = [
        storeKit2Products, storeKit2Subscriptions, storeKit2Transactions, storeKit2Store,
        storeKit2RawTypes, storeKit2Sequences,
    ].joined(separator: "\n")

    /// Types of raw values: the same members, and what they are of.
    private static let storeKit2RawTypes = [
        raw("Product.ProductType", "String", "consumable nonConsumable nonRenewable autoRenewable"),
        raw("Product.SubscriptionOffer.OfferType", "String", "introductory promotional winBack"),
        raw("Product.SubscriptionOffer.PaymentMode", "String", "payAsYouGo payUpFront freeTrial"),
        raw(
            "Product.SubscriptionInfo.RenewalState", "Int",
            "subscribed expired inBillingRetryPeriod inGracePeriod revoked"),
        raw(
            "Product.SubscriptionInfo.RenewalInfo.ExpirationReason", "Int",
            "autoRenewDisabled billingError didNotConsentToPriceIncrease productUnavailable unknown"
        ),
        raw(
            "Product.SubscriptionInfo.BillingPlanType", "String", "monthly upFront",
            hasName: false),
        raw("Transaction.Reason", "String", "purchase renewal", hasName: false),
        raw("Transaction.RevocationReason", "Int", "developerIssue other"),
        raw(
            "Transaction.RevocationType", "String", "fullRefund proratedRefund familyRevocation",
            hasName: false),
        raw("Transaction.OfferType", "Int", "introductory promotional code winBack"),
        raw("Transaction.OwnershipType", "String", "purchased familyShared"),
        raw(
            "Transaction.Offer.PaymentMode", "String", "freeTrial payAsYouGo payUpFront oneTime",
            hasName: false),
        raw(
            "Transaction.AdvancedCommerceInfo.Offer.Reason", "String",
            "acquisition retention winBack", hasName: false),
        raw(
            "Transaction.AdvancedCommerceInfo.Refund.Reason", "String",
            "legal modifyItems unintended unfulfilled unsatisfied other", hasName: false),
        raw(
            "Transaction.AdvancedCommerceInfo.Refund.RefundType", "String", "custom proRated full",
            hasName: false),
        raw("AppStore.Environment", "String", "production sandbox xcode", hasName: false),
        raw("AppStore.Platform", "String", "iOS macOS tvOS visionOS", hasName: false),
        raw(
            "Message.Reason", "Int", "generic priceIncreaseConsent billingIssue winBackOffer"),
    ].joined(separator: "\n")

    private static let storeKit2Sequences = [
        sequence("Transaction.Transactions", of: "VerificationResult<Transaction>"),
        sequence(
            "Product.SubscriptionInfo.Status.Statuses", of: "Product.SubscriptionInfo.Status"),
        sequence("Storefront.Storefronts", of: "Storefront"),
        sequence("Message.Messages", of: "Message"),
        sequence("PurchaseIntent.PurchaseIntents", of: "PurchaseIntent"),
    ].joined(separator: "\n")

    private static let storeKit2Store = """
        @frozen enum VerificationResult<SignedType> : Sendable
            case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
            case verified(SignedType)
            var payloadValue: SignedType { get throws }
            var unsafePayloadValue: SignedType { get }
            var jwsRepresentation: String { get }
            var headerData: Data { get }
            var payloadData: Data { get }
            var signatureData: Data { get }
            var signedData: Data { get }
            var signature: P256.Signing.ECDSASignature { get }
            var deviceVerification: Data { get }
            var deviceVerificationNonce: UUID { get }
            var signedDate: Date { get }
            var debugDescription: String { get }
            enum VerificationError : Error, LocalizedError, Sendable
        extension VerificationResult.VerificationError
            case revokedCertificate
            case invalidCertificateChain
            case invalidDeviceVerification
            case invalidEncoding
            case invalidSignature
            case missingRequiredProperties
            var errorDescription: String? { get }
            var failureReason: String? { get }
            var recoverySuggestion: String? { get }
        enum AppStore
            static var canMakePayments: Bool { get }
            static var deviceVerificationID: UUID? { get }
            static func sync() async throws
            @MainActor static func showManageSubscriptions(in scene: UIWindowScene) async throws
            @MainActor static func showManageSubscriptions(in scene: UIWindowScene, subscriptionGroupID: String) async throws
            @MainActor static func presentOfferCodeRedeemSheet(in scene: UIWindowScene) async throws
            @MainActor static func requestReview(in scene: UIWindowScene)
        struct AppTransaction : Sendable
            let appID: UInt64?
            var appTransactionID: String { get }
            let appVersion: String
            let appVersionID: UInt64?
            let bundleID: String
            let environment: AppStore.Environment
            let originalAppVersion: String
            let originalPurchaseDate: Date
            let originalPlatform: AppStore.Platform
            var originalPlatformStringRepresentation: String { get }
            let preorderDate: Date?
            let deviceVerification: Data
            let deviceVerificationNonce: UUID
            let signedDate: Date
            var jsonRepresentation: Data { get }
            static var shared: VerificationResult<AppTransaction> { get async throws }
            static func refresh() async throws -> VerificationResult<AppTransaction>
            static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool
            func hash(into hasher: inout Hasher)
            var debugDescription: String { get }
        struct Storefront : Identifiable, Sendable
            let countryCode: String
            let id: String
            var currency: Locale.Currency? { get }
            static var current: Storefront? { get async }
            static var updates: Storefront.Storefronts { get }
        struct Message : Sendable
            let reason: Message.Reason
            static var messages: Message.Messages { get }
            @MainActor func display(in scene: UIWindowScene) throws
        struct PurchaseIntent : Identifiable, Sendable
            let product: Product
            let offer: Product.SubscriptionOffer?
            var id: Product.ID { get }
            static var intents: PurchaseIntent.PurchaseIntents { get }
        enum StoreKitError : Error, LocalizedError, Sendable
            case unknown
            case userCancelled
            case networkError(URLError)
            case systemError(any Error)
            case notAvailableInStorefront
            case notEntitled
            case unsupported
            var errorDescription: String? { get }
            var failureReason: String? { get }
            var recoverySuggestion: String? { get }
        struct InvalidRequestError : Error, Sendable
            let code: Int64
            let message: String
        struct AdvancedCommerceProduct : Identifiable, Sendable
            init(id: Product.ID) async throws
            var id: Product.ID { get }
            var type: AdvancedCommerceProduct.ProductType { get }
            typealias ProductType = Product.ProductType
            typealias PurchaseResult = Product.PurchaseResult
            struct PurchaseOption : Sendable
            @MainActor func purchase(compactJWS: String, confirmIn scene: some UIScene, options: Set<AdvancedCommerceProduct.PurchaseOption> = []) async throws -> AdvancedCommerceProduct.PurchaseResult
            var latestTransaction: VerificationResult<Transaction>? { get async }
            var allTransactions: Transaction.Transactions { get }
            var currentEntitlements: Transaction.Transactions { get }
            var debugDescription: String { get }
        enum EntitlementTaskState<Value> : Sendable
            case loading
            case failure(any Error)
            case success(Value)
            var value: Value? { get }
            var transaction: VerificationResult<Transaction>? { get }
            func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> EntitlementTaskState<NewValue>
            func flatMap<NewValue>(_ transform: (Value) throws -> EntitlementTaskState<NewValue>) rethrows -> EntitlementTaskState<NewValue>
        typealias SubscriptionInfo = Product.SubscriptionInfo
        typealias SubscriptionPeriod = Product.SubscriptionPeriod
        typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
        typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
        typealias SubscriptionStatus = Product.SubscriptionInfo.Status
        extension DateComponents
            init(subscriptionPeriod: Product.SubscriptionPeriod)
        """

    private static let noUIKit = "there is no UIKit"

    static let storeKit2LeftOut: [(declaration: String, reason: String)] =
        [
            "AppStore @MainActor static func showManageSubscriptions(in scene: UIWindowScene) async throws",
            "AppStore @MainActor static func showManageSubscriptions(in scene: UIWindowScene, "
                + "subscriptionGroupID: String) async throws",
            "AppStore @MainActor static func presentOfferCodeRedeemSheet(in scene: UIWindowScene) "
                + "async throws",
            "AppStore @MainActor static func requestReview(in scene: UIWindowScene)",
            "Message @MainActor func display(in scene: UIWindowScene) throws",
            "Transaction func beginRefundRequest(in scene: UIWindowScene) async throws "
                + "-> Transaction.RefundRequestStatus",
            "Transaction @MainActor static func beginRefundRequest(for transactionID: UInt64, "
                + "in scene: UIWindowScene) async throws -> Transaction.RefundRequestStatus",
            "Product @MainActor func purchase(confirmIn scene: some UIScene, "
                + "options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult",
            "Product @MainActor func purchase(confirmIn viewController: UIViewController, "
                + "options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult",
            "AdvancedCommerceProduct @MainActor func purchase(compactJWS: String, "
                + "confirmIn scene: some UIScene, "
                + "options: Set<AdvancedCommerceProduct.PurchaseOption> = []) async throws "
                + "-> AdvancedCommerceProduct.PurchaseResult",
        ].map { ($0, noUIKit) } + [
            (
                "AdvancedCommerceProduct struct PurchaseOption : Sendable",
                "only the method of UIKit takes it"
            ),
            (
                "VerificationResult var signature: P256.Signing.ECDSASignature { get }",
                "CryptoKit's type"
            ),
            (
                "Product var subscriptionPeriodFormatStyle: Date.ComponentsFormatStyle { get }",
                "Foundation on Linux has an empty type of this name"
            ),
        ]

    static let storeKit2Extras: [(declaration: String, reason: String)] =
        [
            "InvalidRequestError", "Product.PurchaseError", "StoreKitError",
            "Transaction.RefundRequestError", "VerificationResult.VerificationError",
        ].map { ("\($0) var localizedDescription: String { get }", "Error's") } + [
            (
                "Product.SubscriptionPeriod.Unit.FormatStyle init(from decoder: any Decoder) throws",
                "Decodable's"
            )
        ]

    static let storeKit2Deprecated: Set = [
        "AppTransaction.originalPlatformStringRepresentation",
        "Product.currentEntitlement",
        "Product.PurchaseOption.promotionalOffer(offerID:keyID:nonce:signature:timestamp:)",
        "Product.PurchaseOption.promotionalOffer(offerID:signature:)",
        "Product.SubscriptionInfo.RenewalInfo.currencyCode",
        "Product.SubscriptionInfo.RenewalInfo.environmentStringRepresentation",
        "Product.SubscriptionInfo.RenewalInfo.offerID",
        "Product.SubscriptionInfo.RenewalInfo.offerPaymentModeStringRepresentation",
        "Product.SubscriptionInfo.RenewalInfo.offerPeriodStringRepresentation",
        "Product.SubscriptionInfo.RenewalInfo.offerType",
        "Product.SubscriptionOffer.Signature",
        "Product.SubscriptionOffer.Signature.init(keyID:nonce:timestamp:signature:)",
        "Product.SubscriptionOffer.Signature.keyID",
        "Product.SubscriptionOffer.Signature.nonce",
        "Product.SubscriptionOffer.Signature.signature",
        "Product.SubscriptionOffer.Signature.timestamp",
        "Transaction.currencyCode",
        "Transaction.currentEntitlement(for:)",
        "Transaction.environmentStringRepresentation",
        "Transaction.offerID",
        "Transaction.offerPaymentModeStringRepresentation",
        "Transaction.offerPeriodStringRepresentation",
        "Transaction.offerType",
        "Transaction.reasonStringRepresentation",
        "Transaction.storefrontCountryCode",
    ]

    // MARK: -

    private static func raw(
        _ type: String, _ value: String, _ constants: String, hasName: Bool = true
    ) -> String {
        let members =
            ["let rawValue: \(value)", "init(rawValue: \(value))"]
            + constants.split(separator: " ").map { "static let \($0): \(type)" }
            + (hasName ? ["var localizedDescription: String { get }"] : [])
        return nested("struct", type, " : RawRepresentable, Sendable", members)
    }

    private static func sequence(_ type: String, of element: String) -> String {
        let isSendable = type != "PurchaseIntent.PurchaseIntents"
        return nested(
            "struct", type, isSendable ? " : AsyncSequence, Sendable" : " : AsyncSequence",
            [
                "typealias Element = \(element)",
                "func makeAsyncIterator() -> \(type).AsyncIterator",
                "struct AsyncIterator : AsyncIteratorProtocol, Sendable",
            ])
            + "\nextension \(type).AsyncIterator"
            + "\n    mutating func next() async -> \(type).Element?"
    }

    /// A type within another, with its members.
    private static func nested(
        _ kind: String, _ type: String, _ conformances: String, _ members: [String]
    ) -> String {
        let parts = type.split(separator: ".")
        let parent = parts.dropLast().joined(separator: ".")
        let declaration = "    \(kind) \(parts.last ?? "")\(conformances)"
        return
            (["extension \(parent)", declaration, "extension \(type)"]
            + members.map { "    " + $0 }).joined(separator: "\n")
    }
}
