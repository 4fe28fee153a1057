/// StoreKitTest as Apple documents it and its header reads in Swift, as of iOS 26.5.
extension AppleSurface {
    static let storeKitTest: Set<String> = read(
        [session, rates, transaction, testErrors, failures, simulations, purchaseOptions]
            .joined(separator: "\n"))

    /// What Apple's StoreKitTest has and this one has not.
    static let storeKitTestLeftOut: [(declaration: String, reason: String)] =
        [
            (
                "SKTestSession convenience init(configurationFileNamed filename: String) throws",
                environment
            ),
            ("SKTestSession init(contentsOf fileURL: URL) throws", environment),
            ("class SKTestTransaction : NSObject", "only a session makes one, so it is final"),
        ] + transactionMembers.map { ("SKTestTransaction var \($0) { get }", constant) }

    /// What this StoreKitTest has and Apple's has not, or has by inheritance.
    static let storeKitTestExtras: [(declaration: String, reason: String)] =
        [
            (
                "SKTestSession convenience init(configurationFileNamed filename: String, "
                    + "environment: AppStore.Environment = .xcode) throws", environment
            ),
            (
                "SKTestSession init(contentsOf fileURL: URL, "
                    + "environment: AppStore.Environment = .xcode) throws", environment
            ),
            (
                "SKTestSession func run<Answer>(isolation: isolated (any Actor)? = #isolation, "
                    + "_ body: () async throws -> Answer) async rethrows -> Answer",
                "binds a session to a task, so that tests run side by side"
            ),
            ("final class SKTestTransaction : NSObject", "only a session makes one"),
            ("SKTestError var errorUserInfo: [String : Any] { get }", "CustomNSError's"),
            ("SKTestError var description: String { get }", "CustomStringConvertible's"),
            (
                "SKTestError.Code static func ~= (match: Self, error: any Error) -> Bool",
                "_ErrorCodeProtocol's"
            ),
        ] + transactionMembers.map { ("SKTestTransaction let \($0)", constant) }

    static let storeKitTestDeprecated = Set(
        [
            "buyProduct(productIdentifier:)", "failTransactionsEnabled", "failureError",
            "TimeRate.oneHourIsOneDay", "TimeRate.thirtyMinutesIsOneDay",
            "TimeRate.fiveMinutesIsOneDay", "TimeRate.oneMinuteIsOneDay",
            "TimeRate.thirtySecondsIsOneDay", "TimeRate.oneSecondIsOneDay",
        ].map { "SKTestSession.\($0)" })

    private static let environment =
        "a default parameter more: `.sandbox` is for who forwards to a server"

    private static let transactionMembers = [
        "identifier: Int", "originalTransactionIdentifier: Int", "productIdentifier: String",
        "state: SKPaymentTransactionState", "purchaseDate: Date", "cancelDate: Date?",
        "expirationDate: Date?", "autoRenewingEnabled: Bool", "hasPurchaseIssue: Bool",
        "isPendingPriceIncreaseConsent: Bool", "pendingAskToBuyConfirmation: Bool",
    ]

    private static let transaction =
        "class SKTestTransaction : NSObject\n"
        + transactionMembers.map { "    var \($0) { get }" }.joined(separator: "\n")

    private static let session = """
        class SKTestSession : NSObject, Sendable
            convenience init(configurationFileNamed filename: String) throws
            init(contentsOf fileURL: URL) throws
            func resetToDefaultState()
            var storefront: String { get set }
            var locale: Locale { get set }
            var disableDialogs: Bool { get set }
            var askToBuyEnabled: Bool { get set }
            var interruptedPurchasesEnabled: Bool { get set }
            var timeRate: SKTestSession.TimeRate { get set }
            var billingGracePeriodIsEnabled: Bool { get set }
            var shouldEnterBillingRetryOnRenewal: Bool { get set }
            var failTransactionsEnabled: Bool { get set }
            var failureError: SKError.Code { get set }
            func allTransactions() -> [SKTestTransaction]
            func deleteTransaction(identifier: Int) throws
            func clearTransactions()
            func buyProduct(productIdentifier: String) throws
            @discardableResult func buyProduct(identifier: Product.ID, options: Set<Product.PurchaseOption> = []) async throws -> Transaction
            func refundTransaction(identifier: Int) throws
            func expireSubscription(productIdentifier: String) throws
            func forceRenewalOfSubscription(productIdentifier: String) throws
            func enableAutoRenewForTransaction(identifier: Int) throws
            func disableAutoRenewForTransaction(identifier: Int) throws
            func approveAskToBuyTransaction(identifier: Int) throws
            func declineAskToBuyTransaction(identifier: Int) throws
            func resolveIssueForTransaction(identifier: Int) throws
            func requestPriceIncreaseConsentForTransaction(identifier: Int) throws
            func consentToPriceIncreaseForTransaction(identifier: Int) throws
            func declinePriceIncreaseForTransaction(identifier: Int) throws
            func setSimulatedError<API>(_ error: API.Failure?, forAPI api: API) async throws where API : FailableStoreKitAPI
            func simulatedError<API>(forAPI api: API) async -> API.Failure? where API : FailableStoreKitAPI
        """

    private static let rates =
        """
        extension SKTestSession
            enum TimeRate : RawRepresentable
        extension SKTestSession.TimeRate
            init?(rawValue: Int)

        """
        + cases(
            """
            realTime oneHourIsOneDay thirtyMinutesIsOneDay fiveMinutesIsOneDay oneMinuteIsOneDay \
            thirtySecondsIsOneDay oneSecondIsOneDay monthlyRenewalEveryHour \
            monthlyRenewalEveryThirtyMinutes monthlyRenewalEveryFifteenMinutes \
            monthlyRenewalEveryFiveMinutes monthlyRenewalEveryThirtySeconds \
            oneRenewalEveryFifteenMinutes oneRenewalEveryFiveMinutes oneRenewalEveryMinute \
            oneRenewalEveryThirtySeconds oneRenewalEveryTenSeconds oneRenewalEveryTwoSeconds
            """)

    private static let testCodes = """
        serviceUnavailable invalidProductIdentifier invalidProductType invalidURL fileNotFound \
        noSubscriptionFound noTransactionFound invalidAction
        """

    /// An imported error type's members are those of `SKError`.
    private static let testErrors =
        """
        let SKTestErrorDomain: String
        struct SKTestError : CustomNSError, Error
            init(_ code: Self.Code, userInfo: [String : Any] = [:])
            static var errorDomain: String { get }
            var code: Self.Code { get }
            var errorCode: Int { get }
            var userInfo: [String : Any] { get }
            var localizedDescription: String { get }

        """
        + testCodes.split(separator: " ")
        .map { "    static var \($0): SKTestError.Code { get }\n" }.joined()
            + """
                enum Code : RawRepresentable
            extension SKTestError.Code
                init?(rawValue: Int)

            """ + cases(testCodes)

    private static let failures = """
        protocol SKTestFailure : Equatable, Sendable
        enum SKTestFailures
            enum LoadProducts : SKTestFailure
            enum Purchase : SKTestFailure
            enum Verification : SKTestFailure
            enum AppStoreSync : SKTestFailure
            enum SubscriptionStatus : SKTestFailure
            enum AppTransaction : SKTestFailure
            enum ManageSubscriptions : SKTestFailure
            enum RefundRequest : SKTestFailure
            enum OfferCodeRedeem : SKTestFailure
        extension SKTestFailures.LoadProducts
            case generic(StoreKitError)
            static func == (one: SKTestFailures.LoadProducts, other: SKTestFailures.LoadProducts) -> Bool
        extension SKTestFailures.Purchase
            case generic(StoreKitError)
            case purchase(Product.PurchaseError)
            static func == (one: SKTestFailures.Purchase, other: SKTestFailures.Purchase) -> Bool
        extension SKTestFailures.Verification
            case verification(VerificationResult<Any>.VerificationError)
        extension SKTestFailures.AppStoreSync
            case generic
        extension SKTestFailures.SubscriptionStatus
            case generic
        extension SKTestFailures.AppTransaction
            case generic
        extension SKTestFailures.ManageSubscriptions
            case generic
        extension SKTestFailures.RefundRequest
            case generic
            case refundRequest(Transaction.RefundRequestError)
        extension SKTestFailures.OfferCodeRedeem
            case generic
        """

    /// An interface whose error can be simulated: its name among the static members.
    private static let simulations =
        """
        protocol FailableStoreKitAPI<Failure> : Sendable
            associatedtype Failure : SKTestFailure

        """
        + [
            "loadProducts", "purchase", "verification", "appStoreSync", "subscriptionStatus",
            "appTransaction", "manageSubscriptions", "refundRequest", "offerCodeRedeem",
        ].map { name in
            let title = name.prefix(1).uppercased() + name.dropFirst()
            let type = "StoreKit\(title)API"
            return """
                struct \(type) : FailableStoreKitAPI
                    init()
                    typealias Failure = SKTestFailures.\(title)
                    static var \(name): \(type) { get }
                extension FailableStoreKitAPI
                    static var \(name): \(type) { get }
                """
        }.joined(separator: "\n")

    private static let purchaseOptions =
        """
        extension Product.PurchaseOption
            static func purchaseDate(_ date: Date, renewalBehavior: Product.PurchaseOption.SubscriptionRenewalBehavior = .renewUntilNow) -> Product.PurchaseOption
            static func codeOffer(referenceName: String) -> Product.PurchaseOption
            static func promotionalOffer(id identifier: String) -> Product.PurchaseOption
            enum SubscriptionRenewalBehavior : Sendable
        extension Product.PurchaseOption.SubscriptionRenewalBehavior

        """ + cases("cancelImmediately renewUntilNow")

    private static func cases(_ names: String) -> String {
        names.split(separator: " ").map { "    case \($0)\n" }.joined()
    }
}
