extension AppleSurface {
    static let requests = """
        class SKRequest : NSObject
            init()
            weak var delegate: (any SKRequestDelegate)? { get set }
            func cancel()
            func start()
        protocol SKRequestDelegate : NSObjectProtocol
            optional func requestDidFinish(_ request: SKRequest)
            optional func request(_ request: SKRequest, didFailWithError error: any Error)
        class SKProductsRequest : SKRequest
            init(productIdentifiers: Set<String>)
        protocol SKProductsRequestDelegate : SKRequestDelegate
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
        class SKProductsResponse : NSObject
            var products: [SKProduct] { get }
            var invalidProductIdentifiers: [String] { get }
        class SKReceiptRefreshRequest : SKRequest
            init(receiptProperties properties: [String : Any]?)
            var receiptProperties: [String : Any]? { get }
        func SKTerminateForInvalidReceipt()
        let SKReceiptPropertyIsExpired: String
        let SKReceiptPropertyIsRevoked: String
        let SKReceiptPropertyIsVolumePurchase: String

        """

    static let queue = """
        class SKPaymentQueue : NSObject
            weak var delegate: (any SKPaymentQueueDelegate)? { get set }
            var storefront: SKStorefront? { get }
            class func `default`() -> Self
            class func canMakePayments() -> Bool
            func add(_ payment: SKPayment)
            func restoreCompletedTransactions()
            func restoreCompletedTransactions(withApplicationUsername username: String?)
            func finishTransaction(_ transaction: SKPaymentTransaction)
            func start(_ downloads: [SKDownload])
            func pause(_ downloads: [SKDownload])
            func resume(_ downloads: [SKDownload])
            func cancel(_ downloads: [SKDownload])
            func add(_ observer: any SKPaymentTransactionObserver)
            func remove(_ observer: any SKPaymentTransactionObserver)
            var transactionObservers: [any SKPaymentTransactionObserver] { get }
            var transactions: [SKPaymentTransaction] { get }
            func showPriceConsentIfNeeded()
            func presentCodeRedemptionSheet()
        protocol SKPaymentQueueDelegate : NSObjectProtocol
            optional func paymentQueue(_ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront) -> Bool
            optional func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
        protocol SKPaymentTransactionObserver : NSObjectProtocol
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
            optional func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
            optional func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
            optional func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
            optional func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
            optional func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
            optional func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
            optional func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
        enum SKPaymentTransactionState : RawRepresentable
            init?(rawValue: Int)
            case purchasing
            case purchased
            case failed
            case restored
            case deferred
        class SKPaymentTransaction : NSObject
            var error: (any Error)? { get }
            var original: SKPaymentTransaction? { get }
            var payment: SKPayment { get }
            var downloads: [SKDownload] { get }
            var transactionDate: Date? { get }
            var transactionIdentifier: String? { get }
            var transactionReceipt: Data? { get }
            var transactionState: SKPaymentTransactionState { get }

        """

    static let rest = """
        class SKStorefront : NSObject
            var countryCode: String { get }
            var identifier: String { get }
        @frozen enum SKProductStorePromotionVisibility : RawRepresentable
            init?(rawValue: Int)
            case `default`
            case show
            case hide
        class SKProductStorePromotionController : NSObject
            class func `default`() -> Self
            func fetchStorePromotionVisibility(for product: SKProduct, completionHandler: (@Sendable (SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil)
            func promotionVisibility(for product: SKProduct) async throws -> SKProductStorePromotionVisibility
            func update(storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil)
            func update(promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct) async throws
            func fetchStorePromotionOrder(completionHandler: (@Sendable ([SKProduct], (any Error)?) -> Void)? = nil)
            func promotionOrder() async throws -> [SKProduct]
            func update(storePromotionOrder promotionOrder: [SKProduct], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil)
            func update(promotionOrder: [SKProduct]) async throws
        class SKStoreReviewController : NSObject
            class func requestReview()
            class func requestReview(in windowScene: UIWindowScene)
        let SKStoreProductParameterITunesItemIdentifier: String
        let SKStoreProductParameterProductIdentifier: String
        let SKStoreProductParameterAffiliateToken: String
        let SKStoreProductParameterCampaignToken: String
        let SKStoreProductParameterProviderToken: String
        let SKStoreProductParameterAdvertisingPartnerToken: String
        extension NSNotification.Name
            static let SKCloudServiceCapabilitiesDidChange: NSNotification.Name
            static let SKStorefrontCountryCodeDidChange: NSNotification.Name
            static let SKStorefrontIdentifierDidChange: NSNotification.Name

        """
}
