import StoreKitTest
import XCTest

/// Tests of an app as they are written in Xcode: one import, a session for each test, a shop that lives
/// as long as the process.
@MainActor
final class SessionClientTests: XCTestCase {
    private static let fuel = "com.example.rocketcar.fuel"
    private static let club = "com.example.rocketcar.club"

    private var session: SKTestSession!

    override func setUp() async throws {
        session = try SKTestSession(configurationFileNamed: "Products")
        session.resetToDefaultState()
        session.disableDialogs = true
        session.clearTransactions()
        session.storefront = "USA"
        session.locale = Locale(identifier: "en_US")
        if #available(iOS 15.2, *) { session.timeRate = .monthlyRenewalEveryThirtySeconds }
        SharedShop.shared.forget()
    }

    override func tearDown() async throws {
        session?.clearTransactions()
        session = nil
    }

    func testTheSharedShopHearsOfAPurchaseOutsideTheApp() async throws {
        try await session.buyProduct(identifier: Self.fuel)
        await fulfillment(of: [SharedShop.shared.expect(Self.fuel)], timeout: 60)
    }

    func testTheSharedShopHearsInTheNextTestToo() async throws {
        try await session.buyProduct(identifier: Self.club)
        await fulfillment(of: [SharedShop.shared.expect(Self.club)], timeout: 60)
    }

    func testAPurchaseAndItsRefund() async throws {
        let products = try await Product.products(for: [Self.fuel])
        let product = try XCTUnwrap(products.first)
        guard case .success(let result) = try await product.purchase() else {
            return XCTFail("not bought")
        }
        let transaction = try result.payloadValue
        await transaction.finish()
        XCTAssertEqual(session.allTransactions().count, 1)
        try session.refundTransaction(identifier: Int(transaction.id))
        XCTAssertNotNil(session.allTransactions().first?.cancelDate)
    }

    func testAskToBuy() async throws {
        session.askToBuyEnabled = true
        let products = try await Product.products(for: [Self.fuel])
        let result = try await XCTUnwrap(products.first).purchase()
        guard case .pending = result else { return XCTFail("\(result)") }
        let waiting = try XCTUnwrap(session.allTransactions().first)
        XCTAssertTrue(waiting.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        session.askToBuyEnabled = false
        await fulfillment(of: [SharedShop.shared.expect(Self.fuel)], timeout: 60)
    }

    @available(iOS 17.0, *)
    func testErrorsThatAreSimulated() async throws {
        try await session.setSimulatedError(
            SKTestFailures.Purchase.purchase(.productUnavailable),
            forAPI: StoreKitPurchaseAPI.purchase)
        let products = try await Product.products(for: [Self.fuel])
        do {
            _ = try await XCTUnwrap(products.first).purchase()
            XCTFail("bought")
        } catch Product.PurchaseError.productUnavailable {}
        try await session.setSimulatedError(nil, forAPI: .purchase)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
        do {
            _ = try await Product.products(for: [Self.fuel])
            XCTFail("loaded")
        } catch StoreKitError.unknown {}
        let error = await session.simulatedError(forAPI: .loadProducts)
        XCTAssertEqual(error, .generic(.unknown))
    }

    func testASubscriptionExpires() async throws {
        let transaction = try await session.buyProduct(identifier: Self.club)
        try session.forceRenewalOfSubscription(productIdentifier: Self.club)
        try session.disableAutoRenewForTransaction(identifier: Int(transaction.id))
        try session.enableAutoRenewForTransaction(identifier: Int(transaction.id))
        try session.expireSubscription(productIdentifier: Self.club)
        for await entitlement in Transaction.currentEntitlements { XCTFail("\(entitlement)") }
    }

    func testASessionOfAnAddressAndAnErrorOfASession() throws {
        let url = try XCTUnwrap(
            Bundle.module.url(forResource: "Products", withExtension: "storekit"))
        let other = try SKTestSession(contentsOf: url)
        XCTAssertThrowsError(try other.deleteTransaction(identifier: 1)) { error in
            XCTAssertEqual((error as? SKTestError)?.code, .noTransactionFound)
            XCTAssertEqual((error as NSError).domain, SKTestErrorDomain)
        }
    }
}

/// A shop that listens from its first use to the end of the process.
@MainActor
final class SharedShop {
    static let shared = SharedShop()

    private var delivered: [String] = []
    private var expected: [(product: String, expectation: XCTestExpectation)] = []
    private var listener: Task<Void, Never>?

    private init() {
        listener = Task { [weak self] in
            for await result in Transaction.updates {
                guard case .verified(let transaction) = result else { continue }
                self?.deliver(transaction.productID)
                await transaction.finish()
            }
        }
    }

    func forget() {
        delivered = []
        expected = []
    }

    func expect(_ product: String) -> XCTestExpectation {
        let expectation = XCTestExpectation(description: product)
        expected.append((product, expectation))
        fulfil()
        return expectation
    }

    private func deliver(_ product: String) {
        delivered.append(product)
        fulfil()
    }

    private func fulfil() {
        for (product, expectation) in expected where delivered.contains(product) {
            expectation.fulfill()
        }
        expected.removeAll { delivered.contains($0.product) }
    }
}
