import ClassicClient
import StoreKit
import XCTest

final class QueueClientTests: XCTestCase {
    private var queue: SpyQueue!

    override func setUp() {
        super.setUp()
        queue = SpyQueue()
    }

    func testObserverDeliversThenFinishes() {
        let observer = PurchaseObserver()
        observer.onDelivery = { $0.payment.productIdentifier == "gem" }
        queue.add(observer)
        observer.buy(MockProduct("gem"), quantity: 2, in: queue)
        XCTAssertEqual(queue.payments.first?.quantity, 2)
        queue.tell([
            MockTransaction(queue.payments[0], .purchasing),
            MockTransaction(queue.payments[0], .purchased),
            MockTransaction(SKPayment(product: MockProduct("rock")), .purchased),
        ])
        XCTAssertEqual(queue.finished.map { $0.payment.productIdentifier }, ["gem"])
    }

    func testObserverTellsFailuresButNotCancellation() {
        let observer = PurchaseObserver()
        var errors: [Error?] = []
        observer.onFailure = { errors.append($1) }
        queue.add(observer)
        queue.tell([
            MockTransaction(MockPayment(), .failed, error: SKError(.paymentCancelled)),
            MockTransaction(MockPayment(), .failed, error: SKError(.paymentInvalid)),
        ])
        XCTAssertEqual(errors.count, 1)
        XCTAssertEqual((errors.first as? SKError)?.code, .paymentInvalid)
        XCTAssertEqual(queue.finished.count, 2)
    }

    func testObserverGivesBackOriginals() {
        let observer = PurchaseObserver()
        observer.restore(in: queue)
        let restored = MockTransaction(MockPayment(), .restored)
        restored.mockOriginal = MockTransaction(SKPayment(product: MockProduct("pro")), .purchased)
        observer.paymentQueue(queue, updatedTransactions: [restored])
        observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        XCTAssertEqual(observer.restoredIdentifiers, ["pro"])
        XCTAssertTrue(observer.isRestoreFinished)
        XCTAssertEqual(queue.restoredUsers, [nil])
        observer.paymentQueue(
            queue, restoreCompletedTransactionsFailedWithError: SKError(.paymentCancelled))
        XCTAssertNil(observer.restoreError)
    }

    func testObserverPostponesPromotedPurchase() {
        let observer = PurchaseObserver()
        let product = MockProduct("gem")
        let payment = SKPayment(product: product)
        XCTAssertFalse(observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product))
        XCTAssertEqual(observer.postponedPayments, [payment])
    }

    func testObserverSurvivesAStateOfTheFuture() throws {
        let observer = PurchaseObserver()
        let state = try XCTUnwrap(SKPaymentTransactionState(rawValue: 99))
        observer.paymentQueue(queue, updatedTransactions: [MockTransaction(MockPayment(), state)])
        XCTAssertEqual(state.debugDescription, "default")
        XCTAssertTrue(queue.finished.isEmpty)
    }

    func testControllerMatchesPaymentsAndKeepsTheRest() {
        let controller = PaymentQueueController(paymentQueue: queue)
        var results: [TransactionResult] = []
        var late: [Purchase] = []
        controller.completeTransactions { late += $0 }
        controller.startPayment(
            MockProduct("gem"), user: "ada", simulatesAskToBuyInSandbox: true
        ) { results.append($0) }
        XCTAssertTrue(queue.payments[0].simulatesAskToBuyInSandbox)
        queue.tell([
            MockTransaction(queue.payments[0], .purchased),
            MockTransaction(SKPayment(product: MockProduct("old")), .purchased),
        ])
        guard case .purchased(let purchase)? = results.first else {
            return XCTFail("no purchase in \(results)")
        }
        XCTAssertEqual(purchase.productId, "gem")
        XCTAssertEqual(late.map { $0.productId }, ["old"])
        XCTAssertEqual(queue.finished.count, 2)
        XCTAssertEqual(queue.finished[0].summary, "gem 1000 purchased")
    }

    func testControllerTurnsAnyErrorIntoASKError() {
        let controller = PaymentQueueController(paymentQueue: queue)
        var codes: [SKError.Code] = []
        for error in [SKError(.paymentCancelled), nil] as [SKError?] {
            controller.startPayment(MockProduct("gem")) { result in
                if case .failed(let error) = result { codes.append(error.code) }
            }
            queue.tell([MockTransaction(MockPayment(), .failed, error: error)])
        }
        XCTAssertEqual(codes, [.paymentCancelled, .unknown])
    }

    func testControllerRestoresOnceAtATime() {
        let controller = PaymentQueueController(paymentQueue: queue)
        var restored: [String] = []
        var failure: Error?
        controller.restorePurchases(user: "ada") { purchases, _ in
            restored = purchases.map { $0.productId }
        }
        controller.restorePurchases { _, _ in XCTFail("a second restore") }
        queue.tell([MockTransaction(MockPayment(), .restored)])
        controller.paymentQueueRestoreCompletedTransactionsFinished(queue)
        XCTAssertEqual(restored, ["gem"])
        XCTAssertEqual(queue.restoredUsers, ["ada"])
        controller.restorePurchases { _, error in failure = error }
        controller.paymentQueue(
            queue, restoreCompletedTransactionsFailedWithError: SKError(.unknown))
        XCTAssertNotNil(failure)
    }

    func testBlocksAndNotifications() {
        let store = BlockStore(queue: queue)
        var bought: [String] = []
        let noted = expectation(forNotification: BlockStoreDidFinish, object: store) {
            $0.transaction?.payment.productIdentifier == "gem" && $0.storeError == nil
        }
        store.addPayment(
            MockProduct("gem"), user: "ada",
            success: { bought.append($0.payment.productIdentifier) },
            failure: { _, error in XCTFail("\(error)") })
        XCTAssertEqual(queue.payments.first?.applicationUsername, "ada")
        queue.tell([MockTransaction(queue.payments[0], .purchased)])
        wait(for: [noted], timeout: 10)
        XCTAssertEqual(bought, ["gem"])
        store.restoreTransactions(
            ofUser: "ada", success: { bought += $0.map { $0.payment.productIdentifier } },
            failure: { XCTFail("\($0)") })
        queue.tell([MockTransaction(MockPayment(), .restored)])
        store.paymentQueueRestoreCompletedTransactionsFinished(queue)
        XCTAssertEqual(bought, ["gem", "gem"])
    }

    func testDownloadsAreFollowedToTheEnd() {
        let shelf = DownloadShelf(queue: queue)
        let transaction = MockTransaction(MockPayment(), .purchased)
        let downloads = [
            MockDownload("map", of: transaction), MockDownload("song", of: transaction),
        ]
        transaction.mockDownloads = downloads
        shelf.begin(transaction)
        downloads[0].mockState = .active
        shelf.pauseAll(transaction)
        downloads[0].mockState = .paused
        shelf.resumeAll(transaction)
        downloads[0].mockState = .finished
        shelf.update(downloads)
        XCTAssertTrue(queue.finished.isEmpty)
        downloads[1].mockState = .failed
        shelf.update(downloads)
        shelf.cancelAll(transaction)
        XCTAssertEqual(queue.calls, ["start 2", "pause 1", "resume 1", "cancel 2"])
        XCTAssertEqual(shelf.contents["map"]?.lastPathComponent, "map")
        XCTAssertNotNil(shelf.failures["song"])
        XCTAssertEqual(queue.finished, [transaction])
        XCTAssertTrue(DownloadShelf.caption(downloads[0]).hasPrefix("50% of"))
    }

    func testStorefrontAndPriceConsent() {
        let gate = StorefrontGate(countries: ["DEU"])
        gate.guardQueue(queue)
        XCTAssertTrue(queue.delegate === gate)
        let transaction = MockTransaction(MockPayment(), .purchasing)
        XCTAssertFalse(
            gate.paymentQueue(queue, shouldContinue: transaction, in: MockStorefront()))
        gate.isBusy = true
        XCTAssertFalse(gate.paymentQueueShouldShowPriceConsent(queue))
        gate.idle(queue)
        XCTAssertEqual(queue.calls, ["price consent"])
        XCTAssertEqual(
            queue.storefront.map(TransactionMaps.map),
            ["countryCode": "FRA", "identifier": "143442"])
    }
}
