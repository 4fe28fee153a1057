import BodegaTesting
import Foundation
import StoreKit
import Testing

/// What becomes of a subscription later, as StoreKit 2 shows it.
@Suite struct SubscriptionHistoryTests {
    @Test func `a cancelled task reads no status, and whether an offer is left`() async throws {
        try await Kiosk.world().run {
            let info = try #require(try await Kiosk.product(Kiosk.monthly).subscription)
            _ = try await Kiosk.buy(Kiosk.monthly)
            let (statuses, isEligible) = try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return (try await info.status, await info.isEligibleForIntroOffer)
            }.value
            #expect(statuses.isEmpty && !isEligible)
        }
    }
}
