import BodegaTesting
import StoreKit
import XCTest

@testable import ManyWorldsProbe

/// The same in XCTest.
final class WorldXCTests: XCTestCase {
    func testASubscriptionIsBoughtRenewedAndVerifiedInAWorld() async throws {
        let trouble = try await Rocket.world().live()
        XCTAssertNil(trouble)
    }

    func testWorldsSideBySideDoNotSeeEachOther() async throws {
        let (one, other) = (try await Rocket.world(), try await Rocket.world())
        async let first = one.live()
        async let second = other.live()
        let troubles = try await [first, second].compactMap { $0 }
        XCTAssertEqual(troubles, [])
    }
}
