import Foundation
import StoreKit

// What test targets of the old days have: subclasses with stored values of their own, and not a
// word about threads.

class MockProduct: SKProduct {
    var mockIdentifier: String
    var mockPrice: NSDecimalNumber
    var mockLocale = Locale(identifier: "en_US")
    var mockPeriod: SKProductSubscriptionPeriod?
    var mockIntroductoryPrice: SKProductDiscount?
    var mockDiscounts: [SKProductDiscount] = []

    init(_ identifier: String, price: String = "2.99") {
        mockIdentifier = identifier
        mockPrice = NSDecimalNumber(string: price)
        super.init()
    }

    override var productIdentifier: String { return mockIdentifier }
    override var localizedTitle: String { return "Title of \(mockIdentifier)" }
    override var localizedDescription: String { return "Text of \(mockIdentifier)" }
    override var price: NSDecimalNumber { return mockPrice }
    override var priceLocale: Locale { return mockLocale }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { return mockPeriod }
    override var introductoryPrice: SKProductDiscount? { return mockIntroductoryPrice }
    override var discounts: [SKProductDiscount] { return mockDiscounts }
    override var isDownloadable: Bool { return true }
    override var downloadContentLengths: [NSNumber] { return [10, 20] }
    override var downloadContentVersion: String { return "1.1" }
    override var contentVersion: String { return "1.1" }
}

class MockPeriod: SKProductSubscriptionPeriod {
    let mockUnits: Int
    let mockUnit: SKProduct.PeriodUnit

    init(_ units: Int, _ unit: SKProduct.PeriodUnit) {
        mockUnits = units
        mockUnit = unit
        super.init()
    }

    override var numberOfUnits: Int { return mockUnits }
    override var unit: SKProduct.PeriodUnit { return mockUnit }
}

class MockDiscount: SKProductDiscount {
    var mockIdentifier: String?
    var mockMode = SKProductDiscount.PaymentMode.freeTrial
    var mockPeriod = MockPeriod(1, .month)
    var mockCount = 1

    override var identifier: String? { return mockIdentifier }
    override var price: NSDecimalNumber { return NSDecimalNumber(string: "0.99") }
    override var priceLocale: Locale { return Locale(identifier: "en_US") }
    override var paymentMode: SKProductDiscount.PaymentMode { return mockMode }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { return mockPeriod }
    override var numberOfPeriods: Int { return mockCount }
    override var type: SKProductDiscount.`Type` {
        return mockIdentifier == nil ? .introductory : .subscription
    }
}

class MockPayment: SKPayment {
    var mockIdentifier = "gem"

    override var productIdentifier: String { return mockIdentifier }
    override var quantity: Int { return 3 }
    override var applicationUsername: String? { return "ada" }
}

class MockTransaction: SKPaymentTransaction {
    var mockPayment: SKPayment
    var mockState: SKPaymentTransactionState
    var mockError: Error?
    var mockOriginal: SKPaymentTransaction?
    var mockDownloads: [SKDownload] = []

    init(_ payment: SKPayment, _ state: SKPaymentTransactionState, error: Error? = nil) {
        mockPayment = payment
        mockState = state
        mockError = error
        super.init()
    }

    override var payment: SKPayment { return mockPayment }
    override var transactionState: SKPaymentTransactionState { return mockState }
    override var error: Error? { return mockError }
    override var original: SKPaymentTransaction? { return mockOriginal }
    override var downloads: [SKDownload] { return mockDownloads }
    override var transactionIdentifier: String? { return "1000" }
    override var transactionDate: Date? { return Date(timeIntervalSince1970: 0) }
    override var transactionReceipt: Data? { return Data([1, 2, 3]) }
}

class MockDownload: SKDownload {
    var mockState = SKDownloadState.waiting
    var mockTransaction: SKPaymentTransaction
    let mockIdentifier: String

    init(_ identifier: String, of transaction: SKPaymentTransaction) {
        mockIdentifier = identifier
        mockTransaction = transaction
        super.init()
    }

    override var state: SKDownloadState { return mockState }
    override var transaction: SKPaymentTransaction { return mockTransaction }
    override var contentIdentifier: String { return mockIdentifier }
    override var contentURL: URL? { return URL(fileURLWithPath: "/tmp/\(mockIdentifier)") }
    override var expectedContentLength: Int64 { return 2_000 }
    override var progress: Float { return 0.5 }
    override var error: Error? { return SKError(.unknown) }
}

class MockStorefront: SKStorefront {
    override var countryCode: String { return "FRA" }
    override var identifier: String { return "143442" }
}

/// Writes down what it is asked to do.
class SpyQueue: SKPaymentQueue {
    var payments: [SKPayment] = []
    var observers: [SKPaymentTransactionObserver] = []
    var finished: [SKPaymentTransaction] = []
    var restoredUsers: [String?] = []
    var calls: [String] = []

    override func add(_ payment: SKPayment) { payments.append(payment) }
    override func add(_ observer: SKPaymentTransactionObserver) { observers.append(observer) }
    override func remove(_ observer: SKPaymentTransactionObserver) {
        observers.removeAll { $0 === observer }
    }
    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        finished.append(transaction)
    }
    override func restoreCompletedTransactions() { restoredUsers.append(nil) }
    override func restoreCompletedTransactions(withApplicationUsername username: String?) {
        restoredUsers.append(username)
    }
    override func start(_ downloads: [SKDownload]) { calls.append("start \(downloads.count)") }
    override func pause(_ downloads: [SKDownload]) { calls.append("pause \(downloads.count)") }
    override func resume(_ downloads: [SKDownload]) { calls.append("resume \(downloads.count)") }
    override func cancel(_ downloads: [SKDownload]) { calls.append("cancel \(downloads.count)") }
    override func showPriceConsentIfNeeded() { calls.append("price consent") }
    override func presentCodeRedemptionSheet() { calls.append("code redemption") }
    override var storefront: SKStorefront? { return MockStorefront() }
    override var transactions: [SKPaymentTransaction] { return finished }
    override class func canMakePayments() -> Bool { return true }

    func tell(_ transactions: [SKPaymentTransaction]) {
        observers.forEach { $0.paymentQueue(self, updatedTransactions: transactions) }
    }
}

/// A request that the test answers.
class MockRequest: SKProductsRequest {
    var isStarted = false
    var isCancelled = false

    override func start() { isStarted = true }
    override func cancel() { isCancelled = true }

    func answer(_ products: [SKProduct], invalid: [String] = []) {
        let response = MockResponse()
        response.mockProducts = products
        response.mockInvalid = invalid
        (delegate as? SKProductsRequestDelegate)?.productsRequest(self, didReceive: response)
        delegate?.requestDidFinish(self)
    }
}

class MockResponse: SKProductsResponse {
    var mockProducts: [SKProduct] = []
    var mockInvalid: [String] = []

    override var products: [SKProduct] { return mockProducts }
    override var invalidProductIdentifiers: [String] { return mockInvalid }
}

class MockPromotions: SKProductStorePromotionController {
    var hidden: Set<String> = []

    override func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility,
        for product: SKProduct, completionHandler: ((Error?) -> Void)? = nil
    ) {
        if promotionVisibility == .hide { hidden.insert(product.productIdentifier) }
        completionHandler?(nil)
    }

    override func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, Error?) -> Void)? = nil
    ) {
        completionHandler?(hidden.contains(product.productIdentifier) ? .hide : .default, nil)
    }

    override func fetchStorePromotionOrder(
        completionHandler: (([SKProduct], Error?) -> Void)? = nil
    ) {
        completionHandler?([MockProduct("pro")], nil)
    }
}
