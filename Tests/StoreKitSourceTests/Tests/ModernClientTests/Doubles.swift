import StoreKit

// Products, requests and queues as the tests of a library make them.

final class ProductDouble: SKProduct, @unchecked Sendable {
    private let identifier: String
    private let doubledPrice: NSDecimalNumber
    private let locale: Locale
    private let offers: [SKProductDiscount]

    init(
        _ identifier: String, price: String = "1.99", locale: String = "en_US",
        offers: [SKProductDiscount] = []
    ) {
        self.identifier = identifier
        doubledPrice = NSDecimalNumber(string: price)
        self.locale = Locale(identifier: locale)
        self.offers = offers
        super.init()
    }

    override var productIdentifier: String { identifier }
    override var localizedTitle: String { identifier.capitalized }
    override var price: NSDecimalNumber { doubledPrice }
    override var priceLocale: Locale { locale }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { PeriodDouble(1, .month) }
    override var introductoryPrice: SKProductDiscount? { offers.first }
    override var discounts: [SKProductDiscount] { Array(offers.dropFirst()) }
    override var subscriptionGroupIdentifier: String? { "group" }
    override var isFamilyShareable: Bool { true }
}

final class PeriodDouble: SKProductSubscriptionPeriod, @unchecked Sendable {
    private let units: Int
    private let kind: SKProduct.PeriodUnit

    init(_ units: Int, _ kind: SKProduct.PeriodUnit) {
        self.units = units
        self.kind = kind
    }

    override var numberOfUnits: Int { units }
    override var unit: SKProduct.PeriodUnit { kind }
}

final class DiscountDouble: SKProductDiscount, @unchecked Sendable {
    private let name: String?
    private let mode: SKProductDiscount.PaymentMode

    init(_ name: String?, _ mode: SKProductDiscount.PaymentMode) {
        self.name = name
        self.mode = mode
    }

    override var identifier: String? { name }
    override var price: NSDecimalNumber { NSDecimalNumber(string: "0.99") }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { PeriodDouble(7, .day) }
    override var numberOfPeriods: Int { 1 }
    override var paymentMode: SKProductDiscount.PaymentMode { mode }
    override var type: SKProductDiscount.`Type` { name == nil ? .introductory : .subscription }
}

final class TransactionDouble: SKPaymentTransaction, @unchecked Sendable {
    private let doubledPayment: SKPayment
    private let state: SKPaymentTransactionState
    private let failure: (any Error)?

    init(
        _ payment: SKPayment, _ state: SKPaymentTransactionState, failure: (any Error)? = nil
    ) {
        doubledPayment = payment
        self.state = state
        self.failure = failure
    }

    override var payment: SKPayment { doubledPayment }
    override var transactionState: SKPaymentTransactionState { state }
    override var transactionIdentifier: String? { "1" }
    override var transactionDate: Date? { Date(timeIntervalSince1970: 1) }
    override var error: (any Error)? { failure }
}

/// A queue that ends each payment as it was told to.
final class QueueDouble: SKPaymentQueue, @unchecked Sendable {
    var answer: (SKPaymentTransactionState, (any Error)?) = (.purchased, nil)
    var restoreError: (any Error)?
    private(set) var observers: [any SKPaymentTransactionObserver] = []
    private(set) var finished: [SKPaymentTransaction] = []
    private(set) var payments: [SKPayment] = []

    override func add(_ observer: any SKPaymentTransactionObserver) { observers.append(observer) }

    override func remove(_ observer: any SKPaymentTransactionObserver) {
        observers.removeAll { $0 === observer }
    }

    override func add(_ payment: SKPayment) {
        payments.append(payment)
        let transaction = TransactionDouble(payment, answer.0, failure: answer.1)
        for observer in observers {
            observer.paymentQueue(self, updatedTransactions: [transaction])
        }
    }

    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        finished.append(transaction)
        for observer in observers {
            observer.paymentQueue(self, removedTransactions: [transaction])
        }
    }

    override func restoreCompletedTransactions() {
        for observer in observers {
            if let restoreError {
                observer.paymentQueue(
                    self, restoreCompletedTransactionsFailedWithError: restoreError)
            } else {
                observer.paymentQueueRestoreCompletedTransactionsFinished(self)
            }
        }
    }

    override var transactions: [SKPaymentTransaction] { [] }
}

final class ResponseDouble: SKProductsResponse, @unchecked Sendable {
    private let doubled: [SKProduct]
    private let invalid: [String]

    init(_ products: [SKProduct], invalid: [String] = []) {
        doubled = products
        self.invalid = invalid
    }

    override var products: [SKProduct] { doubled }
    override var invalidProductIdentifiers: [String] { invalid }
}

/// A request that answers at once.
final class RequestDouble: SKProductsRequest, @unchecked Sendable {
    var result: Result<SKProductsResponse, any Error> = .success(SKProductsResponse())
    private(set) var starts = 0

    override func start() {
        starts += 1
        switch result {
        case .success(let response):
            (delegate as? any SKProductsRequestDelegate)?
                .productsRequest(self, didReceive: response)
            delegate?.requestDidFinish(self)
        case .failure(let error): delegate?.request(self, didFailWithError: error)
        }
    }
}

/// Values in a dictionary.
final class KeyValueStoreDouble: NSUbiquitousKeyValueStore, @unchecked Sendable {
    var values: [String: Any] = [:]

    override func set(_ anObject: Any?, forKey aKey: String) { values[aKey] = anObject }
    override func longLong(forKey aKey: String) -> Int64 { values[aKey] as? Int64 ?? 0 }
    override func synchronize() -> Bool { true }
}
