import BodegaTesting
import StoreKit
import XCTest

// begin
final class ClubXCTests: XCTestCase {
    func testARefundEndsTheMembership() async throws {
        let world = try await BodegaStore.shared.world(
            catalogue: catalogue, bundleID: "com.example.rocketcar")
        let observer = ClubObserver()
        var periods = observer.periods.makeAsyncIterator()
        try await world.run { observer.join() }
        _ = await periods.next()
        let sales = try await world.transactions()
        try await world.refund(sales[0])
        let state = try await world.transactions()[0].isRevoked
        XCTAssertTrue(state)
    }
}
// end
