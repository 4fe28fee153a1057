import EntitlementClient
import StoreKit
import XCTest

final class EntitlementClientTests: XCTestCase {
    private struct Double: Buyable {
        let id = "gem"
        let displayPrice = "$0.99"
        let result: Result<Product.PurchaseResult, Error>

        func buy(options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult {
            try result.get()
        }
    }

    private func outcome(_ result: Result<Product.PurchaseResult, Error>) async -> Outcome {
        await withCheckedContinuation { continuation in
            CompletionStore(account: nil).buy(Double(result: result)) {
                continuation.resume(returning: $0)
            }
        }
    }

    func testEveryOutcomeReachesTheHandler() async {
        let cancelled = await outcome(.success(.userCancelled))
        XCTAssertEqual(cancelled, .cancelled)
        let waits = await outcome(.success(.pending))
        XCTAssertEqual(waits, .waits)
        let refused = await outcome(.failure(Product.PurchaseError.invalidOfferPrice))
        XCTAssertEqual(refused, .failed("The offer is over."))
        let thrown = await outcome(.failure(StoreKitError.userCancelled))
        XCTAssertEqual(thrown, .cancelled)
        let offline = await outcome(
            .failure(StoreKitError.networkError(URLError(.notConnectedToInternet))))
        XCTAssertEqual(offline, .failed("Offline: -1009."))
    }

    func testOptionsAreCollectedInASet() {
        let user = UUID()
        let options = CompletionStore(account: user)
            .options(quantity: 3, offer: ("spring", "a.b.c"))
        XCTAssertEqual(options.count, 4)
        XCTAssert(options.contains(.quantity(3)))
        XCTAssert(options.contains(.appAccountToken(user)))
    }

    func testPeriodsHaveWords() {
        XCTAssertEqual(ProductMaps.words(.monthly), "month")
        XCTAssertEqual(ProductMaps.words(.everySixMonths), "6 months")
    }
}
