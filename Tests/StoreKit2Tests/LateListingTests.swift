import BodegaTesting
import Foundation
import Testing

@testable import StoreKit

/// Purchases that are listed late on purpose, as the Mac lists them.
@Suite struct LateListingTests {
    private static let forNow = ["STOREKIT_LISTING_DELAY": "60000"]

    @Test func `a purchase is listed after it has returned, and told and unfinished at once`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let bought = try await device.launch(Self.forNow) {
            let bought = try await Kiosk.buy(Kiosk.archive)
            #expect(try await Transaction.all.all == [])
            #expect(try await Transaction.currentEntitlements.all == [])
            #expect(await Transaction.latest(for: Kiosk.archive) == nil)
            #expect(try await Transaction.unfinished.all == [bought])
            await bought.finish()
            #expect(try await Transaction.unfinished.all == [])
            return bought
        }
        // The delay is this process's memory: what is on disk is listed.
        let listed = try await device.launch(Self.forNow) { () -> [[UInt64]] in
            [
                try await Transaction.all.all.map(\.id),
                try await Transaction.currentEntitlements.all.map(\.id),
                try await Transaction.latest(for: Kiosk.archive).map { [try $0.payloadValue.id] }
                    ?? [],
            ]
        }
        #expect(listed == [[bought.id], [bought.id], [bought.id]])
    }

    @Test func `what was bought before is listed meanwhile, and the rest when the time is over`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let before = try await device.launch { try await Kiosk.buy(Kiosk.archive).id }
        try await device.launch(Self.forNow) {
            let again = try await Kiosk.buy(Kiosk.archive)
            #expect(again.id != before)
            #expect(try await Transaction.all.all.map(\.id) == [before])
            let latest = try #require(await Transaction.latest(for: Kiosk.archive))
            #expect(try latest.payloadValue.id == before)
        }
        try await device.launch(["STOREKIT_LISTING_DELAY": "20"]) {
            let summer = try await Kiosk.buy(Kiosk.summer)
            try await device.sees("the purchase") {
                try await Transaction.currentEntitlements.all.contains(summer)
            }
        }
    }

    @Test func `a subscription has its status at once and its entitlement late`() async throws {
        let device = Device(world: try await Kiosk.world())
        try await device.launch(Self.forNow) {
            let updates = Collector.updates()
            let bought = try await Kiosk.buy(Kiosk.monthly)
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            #expect(status.state == .subscribed)
            #expect(try status.transaction.payloadValue.id == bought.id)
            #expect(try await Transaction.currentEntitlements.all == [])
            try await device.world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            // A renewal is told before it is listed.
            let renewal = try #require(try await updates.first().last).payloadValue
            #expect(try await !Transaction.all.all.contains(renewal))
        }
    }

    @Test func `the history of a device that is new is listed at once`() async throws {
        let world = try await Kiosk.world()
        let bought = try await Device(world: world).launch { try await Kiosk.buy(Kiosk.archive).id }
        let other = Device(world: world)
        let listed = try await other.launch(Self.forNow) { try await Transaction.all.all.map(\.id) }
        #expect(listed == [bought])
    }
}
