import ClassicClient
import StoreKit
import XCTest

final class ValueClientTests: XCTestCase {
    func testPricesAndPeriodsAreWritten() {
        let product = MockProduct("pro", price: "29.99")
        XCTAssertEqual(product.localizedPrice, "$29.99")
        XCTAssertEqual(product.localizedSubscriptionPeriod, "")
        product.mockPeriod = MockPeriod(1, .year)
        XCTAssertEqual(product.localizedSubscriptionPeriod, "1 year(s)")
        XCTAssertEqual(product.subscriptionPeriod?.isoDuration, "P1Y")
        XCTAssertEqual(product.pricePerMonth, NSDecimalNumber(string: "2.49"))
        product.mockPeriod = MockPeriod(7, .day)
        XCTAssertEqual(product.localizedSubscriptionPeriod, "1 week(s)")
        product.mockLocale = Locale(identifier: "fr_FR@currency=EUR")
        XCTAssertEqual(product.localizedPrice?.contains("29,99"), true)
    }

    func testDiscountsAreWritten() {
        let product = MockProduct("pro")
        let discount = MockDiscount()
        product.mockIntroductoryPrice = discount
        XCTAssertTrue(product.hasFreeTrial)
        XCTAssertEqual(discount.text, "introductory: free for 1 x 1 month(s)")
        discount.mockIdentifier = "back"
        discount.mockMode = .payAsYouGo
        XCTAssertEqual(discount.text, "back: $0.99 each 1 month(s)")
        discount.mockMode = .payUpFront
        discount.mockCount = 3
        XCTAssertEqual(discount.text, "back: $0.99 once for 3 x 1 month(s)")
    }

    func testErrorsAreSorted() {
        XCTAssertNil(sorted {})
        XCTAssertEqual(sorted { throw SKError(.paymentCancelled) }, .cancelled)
        XCTAssertEqual(sorted { throw SKError(.clientInvalid) }, .notAllowed)
        XCTAssertEqual(sorted { throw SKError(.invalidSignature) }, .badOffer)
        XCTAssertEqual(sorted { throw SKError(.storeProductNotAvailable) }, .unavailable)
        XCTAssertEqual(sorted { throw SKError(.cloudServiceNetworkConnectionFailed) }, .network)
        XCTAssertEqual(sorted { throw URLError(.timedOut) }, .other(code: -1001))
        let old = NSError(domain: SKErrorDomain, code: SKError.Code.paymentCancelled.rawValue)
        XCTAssertTrue(old.isCancellation)
        XCTAssertTrue(SKError(_nsError: old).isCancellation)
        XCTAssertEqual(SKError(_nsError: old).code, .paymentCancelled)
        XCTAssertEqual(SKError.errorDomain, SKErrorDomain)
    }

    func testPaymentsGoThroughOtherLanguages() throws {
        let payment = SKMutablePayment(product: MockProduct("gem"))
        payment.quantity = 4
        payment.applicationUsername = "ada"
        payment.requestData = Data("data".utf8)
        payment.simulatesAskToBuyInSandbox = true
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "back", keyIdentifier: "KEY", nonce: UUID(), signature: "c2ln",
            timestamp: NSNumber(value: 1_700_000_000_000 as Int64))
        let back = try XCTUnwrap(TransactionMaps.payment(TransactionMaps.map(payment)))
        XCTAssertEqual(back, payment)
        XCTAssertNotEqual(back.mutableCopy() as? SKMutablePayment, SKMutablePayment())
        let map = TransactionMaps.map(
            MockTransaction(MockPayment(), .failed, error: SKError(.paymentInvalid)))
        XCTAssertEqual(map["transactionState"] as? Int, 2)
        XCTAssertEqual((map["error"] as? [String: Any])?["code"] as? Int, 3)
        XCTAssertEqual((map["payment"] as? [String: Any])?["quantity"] as? Int, 3)
        XCTAssertEqual(map["receipt"] as? String, "AQID")
    }

    func testPromotionsAreSetWithPlainClosures() {
        let settings = PromotionSettings(controller: MockPromotions())
        var error: Error? = SKError(.unknown)
        settings.hide(MockProduct("gem")) { error = $0 }
        XCTAssertNil(error)
        let counted = expectation(description: "counted")
        settings.countShown([MockProduct("gem"), MockProduct("pro")]) { count in
            XCTAssertEqual(count, 1)
            counted.fulfill()
        }
        wait(for: [counted], timeout: 60)
        var isInOrder = false
        settings.isInOrder(MockProduct("pro")) { isInOrder = $0 }
        XCTAssertTrue(isInOrder)
    }

    func testPromotionsAndPages() {
        XCTAssertEqual(PromotionSettings.text(.default), "as in the catalogue")
        XCTAssertEqual(PromotionSettings.text(.show), "shown")
        let parameters = pageParameters(app: 7, campaign: "spring")
        XCTAssertEqual(parameters[SKStoreProductParameterITunesItemIdentifier] as? Int, 7)
        XCTAssertEqual(parameters.count, 3)
        SKStoreReviewController.requestReview()
        let name: Notification.Name = .SKStorefrontCountryCodeDidChange
        XCTAssertFalse(name.rawValue.isEmpty)
    }
}
