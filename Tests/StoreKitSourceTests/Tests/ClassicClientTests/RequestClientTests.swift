import ClassicClient
import StoreKit
import XCTest

final class RequestClientTests: XCTestCase {
    func testCatalogKeepsWhatItWasAnswered() {
        let request = MockRequest()
        let catalog = ProductCatalog { _ in request }
        var loaded: [String] = []
        catalog.load(["gem", "dust"]) { result in
            loaded = (try? result.get().map { $0.productIdentifier }) ?? []
        }
        XCTAssertTrue(request.isStarted)
        request.answer([MockProduct("gem")], invalid: ["dust"])
        XCTAssertEqual(loaded, ["gem"])
        XCTAssertEqual(catalog.invalidIdentifiers, ["dust"])
        XCTAssertEqual(catalog["gem"]?.localizedTitle, "Title of gem")
        XCTAssertNil(request.delegate)
    }

    func testCatalogCancels() {
        let request = MockRequest()
        let catalog = ProductCatalog { _ in request }
        catalog.load(["gem"]) { _ in XCTFail("answered") }
        catalog.cancelAll()
        XCTAssertTrue(request.isCancelled)
    }

    // Without a store the real classes still answer, with errors of StoreKit's.

    func testRealRequestFailsWithoutAStore() {
        let failed = expectation(description: "failed")
        let catalog = ProductCatalog()
        catalog.load(["gem"]) { result in
            if case .failure(let error) = result, error is SKError { failed.fulfill() }
        }
        wait(for: [failed], timeout: 20)
    }

    func testRealPaymentFailsAndLeavesTheQueueWithoutAStore() {
        let failed = expectation(description: "failed")
        let observer = PurchaseObserver()
        observer.onFailure = { transaction, error in
            XCTAssertEqual((error as? SKError)?.code, .paymentNotAllowed)
            XCTAssertEqual(transaction.payment.productIdentifier, "gem")
            failed.fulfill()
        }
        XCTAssertFalse(observer.isAuthorizedForPayments)
        SKPaymentQueue.default().add(observer)
        XCTAssertEqual(SKPaymentQueue.default().transactionObservers.count, 1)
        observer.buy(MockProduct("gem"))
        wait(for: [failed], timeout: 20)
        let removed = XCTNSPredicateExpectation(
            predicate: NSPredicate { _, _ in observer.removedCount == 1 }, object: nil)
        wait(for: [removed], timeout: 20)
        SKPaymentQueue.default().remove(observer)
        XCTAssertEqual(SKPaymentQueue.default().transactions, [])
    }

    func testThereIsNoReceiptWithoutAStore() {
        let answered = expectation(description: "answered")
        let reader = ReceiptReader()
        XCTAssertNil(reader.receiptData)
        XCTAssertFalse(reader.isSandbox)
        reader.fetch(expired: true) { result in
            if case .failure(.network(let error)) = result, error is SKError { answered.fulfill() }
        }
        wait(for: [answered], timeout: 20)
    }
}
