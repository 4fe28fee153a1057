extension AppleSurface {
    static let errors = """
        let SKErrorDomain: String
        struct SKError : CustomNSError, Error
            init(_ code: Self.Code, userInfo: [String : Any] = [:])
            static var errorDomain: String { get }
            var code: Self.Code { get }
            var errorCode: Int { get }
            var userInfo: [String : Any] { get }
            var localizedDescription: String { get }
            static var unknown: SKError.Code { get }
            static var clientInvalid: SKError.Code { get }
            static var paymentCancelled: SKError.Code { get }
            static var paymentInvalid: SKError.Code { get }
            static var paymentNotAllowed: SKError.Code { get }
            static var storeProductNotAvailable: SKError.Code { get }
            static var cloudServicePermissionDenied: SKError.Code { get }
            static var cloudServiceNetworkConnectionFailed: SKError.Code { get }
            static var cloudServiceRevoked: SKError.Code { get }
            static var privacyAcknowledgementRequired: SKError.Code { get }
            static var unauthorizedRequestData: SKError.Code { get }
            static var invalidOfferIdentifier: SKError.Code { get }
            static var invalidSignature: SKError.Code { get }
            static var missingOfferParams: SKError.Code { get }
            static var invalidOfferPrice: SKError.Code { get }
            static var overlayCancelled: SKError.Code { get }
            static var overlayInvalidConfiguration: SKError.Code { get }
            static var overlayTimeout: SKError.Code { get }
            static var ineligibleForOffer: SKError.Code { get }
            static var unsupportedPlatform: SKError.Code { get }
            static var overlayPresentedInBackgroundScene: SKError.Code { get }
            static var paymentMethodBindingConfigurationRequired: SKError.Code { get }
        enum SKError.Code : RawRepresentable
            init?(rawValue: Int)
            case unknown
            case clientInvalid
            case paymentCancelled
            case paymentInvalid
            case paymentNotAllowed
            case storeProductNotAvailable
            case cloudServicePermissionDenied
            case cloudServiceNetworkConnectionFailed
            case cloudServiceRevoked
            case privacyAcknowledgementRequired
            case unauthorizedRequestData
            case invalidOfferIdentifier
            case invalidSignature
            case missingOfferParams
            case invalidOfferPrice
            case overlayCancelled
            case overlayInvalidConfiguration
            case overlayTimeout
            case ineligibleForOffer
            case unsupportedPlatform
            case overlayPresentedInBackgroundScene
            case paymentMethodBindingConfigurationRequired

        """

    static let products = """
        class SKProduct : NSObject
            var localizedDescription: String { get }
            var localizedTitle: String { get }
            var price: NSDecimalNumber { get }
            var priceLocale: Locale { get }
            var productIdentifier: String { get }
            var isDownloadable: Bool { get }
            var isFamilyShareable: Bool { get }
            var downloadContentLengths: [NSNumber] { get }
            var contentVersion: String { get }
            var downloadContentVersion: String { get }
            var subscriptionPeriod: SKProductSubscriptionPeriod? { get }
            var introductoryPrice: SKProductDiscount? { get }
            var subscriptionGroupIdentifier: String? { get }
            var discounts: [SKProductDiscount] { get }
        enum SKProduct.PeriodUnit : RawRepresentable
            init?(rawValue: UInt)
            case day
            case week
            case month
            case year
        class SKProductSubscriptionPeriod : NSObject
            var numberOfUnits: Int { get }
            var unit: SKProduct.PeriodUnit { get }
        class SKProductDiscount : NSObject
            var price: NSDecimalNumber { get }
            var priceLocale: Locale { get }
            var identifier: String? { get }
            var subscriptionPeriod: SKProductSubscriptionPeriod { get }
            var numberOfPeriods: Int { get }
            var paymentMode: SKProductDiscount.PaymentMode { get }
            var type: SKProductDiscount.`Type` { get }
        enum SKProductDiscount.PaymentMode : RawRepresentable
            init?(rawValue: UInt)
            case payAsYouGo
            case payUpFront
            case freeTrial
        enum SKProductDiscount.`Type` : RawRepresentable
            init?(rawValue: UInt)
            case introductory
            case subscription

        """

    static let payments = """
        class SKPayment : NSObject, NSCopying, NSMutableCopying
            convenience init(product: SKProduct)
            var productIdentifier: String { get }
            var requestData: Data? { get }
            var quantity: Int { get }
            var applicationUsername: String? { get }
            var simulatesAskToBuyInSandbox: Bool { get }
            var paymentDiscount: SKPaymentDiscount? { get }
        class SKMutablePayment : SKPayment
            var productIdentifier: String { get set }
            var requestData: Data? { get set }
            var quantity: Int { get set }
            var applicationUsername: String? { get set }
            var simulatesAskToBuyInSandbox: Bool { get set }
            var paymentDiscount: SKPaymentDiscount? { get set }
        class SKPaymentDiscount : NSObject
            init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber)
            var identifier: String { get }
            var keyIdentifier: String { get }
            var nonce: UUID { get }
            var signature: String { get }
            var timestamp: NSNumber { get }

        """

    static let downloads = """
        @frozen enum SKDownloadState : RawRepresentable
            init?(rawValue: Int)
            case waiting
            case active
            case paused
            case finished
            case failed
            case cancelled
        var SKDownloadTimeRemainingUnknown: TimeInterval
        class SKDownload : NSObject
            var state: SKDownloadState { get }
            var downloadState: SKDownloadState { get }
            var contentLength: Int64 { get }
            var expectedContentLength: Int64 { get }
            var contentIdentifier: String { get }
            var contentURL: URL? { get }
            var contentVersion: String { get }
            var error: (any Error)? { get }
            var progress: Float { get }
            var timeRemaining: TimeInterval { get }
            var transaction: SKPaymentTransaction { get }
            class func contentURL(forProductID productID: String) -> URL?
            class func deleteContent(forProductID productID: String)

        """
}
