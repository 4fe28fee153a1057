import BodegaTesting
import Foundation
import StoreKit
import Testing

/// Subscriptions as StoreKit 2 shows them.
@Suite struct SubscriptionTests {
    @Test func `a subscription renews, lapses, and is told of both`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let product = try await Kiosk.product(Kiosk.monthly)
            let info = try #require(product.subscription)
            #expect(await info.isEligibleForIntroOffer)
            #expect(try await info.status.isEmpty)
            let updates = Collector.updates()
            let statuses = Collector.statuses()
            let bought = try await Kiosk.buy(Kiosk.monthly)
            #expect(bought.offer?.type == .introductory && bought.price == 0)
            #expect(bought.subscriptionGroupID == Kiosk.group && bought.reason == .purchase)
            #expect(try await Transaction.currentEntitlements.all == [bought])
            #expect(await !info.isEligibleForIntroOffer)
            let status = try #require(try await info.status.first)
            #expect(status.state == .subscribed)
            #expect(try status.transaction.payloadValue.id == bought.id)
            #expect(try status.renewalInfo.payloadValue.willAutoRenew)
            await bought.finish()
            let expiry = try #require(bought.expirationDate)
            try await world.advance(to: expiry.addingTimeInterval(1))
            let renewal = try #require(try await updates.first().first).payloadValue
            #expect(renewal.originalID == bought.id && renewal.id != bought.id)
            #expect(renewal.reason == .renewal && renewal.price == Decimal(string: "4.99"))
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [renewal.id])
            try await world.post("/subscriptions/\(bought.id)/cancel")
            try await world.advance(
                to: try #require(renewal.expirationDate).addingTimeInterval(1))
            let states = try await statuses.first(3).map(\.state)
            #expect(states == [.subscribed, .subscribed, .expired])
            #expect(try await Transaction.currentEntitlements.all == [])
            let over = try #require(try await info.status.first)
            #expect(over.state == .expired)
            #expect(try over.renewalInfo.payloadValue.expirationReason == .autoRenewDisabled)
            #expect(try await Transaction.all.all.map(\.id) == [renewal.id, bought.id])
        }
    }

    @Test func `an upgrade takes the place of the old period at once`() async throws {
        try await Kiosk.world().run {
            let month = try await Kiosk.buy(Kiosk.monthly)
            let year = try await Kiosk.buy(Kiosk.yearly)
            #expect(year.originalID == month.originalID && year.id != month.id)
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [year.id])
            let replaced = try await Transaction.all.all.first { $0.id == month.id }
            #expect(replaced?.isUpgraded == true)
        }
    }

    @Test func `a downgrade gives back the period that runs, and changes the renewal`() async throws
    {
        try await Kiosk.world().run {
            let year = try await Kiosk.buy(Kiosk.yearly)
            let answer = try await Kiosk.buy(Kiosk.monthly)
            #expect(answer.id == year.id)
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            let renewal = try status.renewalInfo.payloadValue
            #expect(renewal.autoRenewPreference == Kiosk.monthly)
            #expect(renewal.currentProductID == Kiosk.yearly)
            #expect(try await Transaction.all.all.count == 1)
        }
    }

    @Test func `buying a subscription again returns its current period and charges nothing`()
        async throws
    {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            await bought.finish()
            let statuses = Collector.statuses()
            #expect(try await Kiosk.buy(Kiosk.monthly).id == bought.id)
            try await world.post("/subscriptions/\(bought.id)/cancel")
            #expect(try await Kiosk.buy(Kiosk.monthly).id == bought.id)
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            #expect(try status.renewalInfo.payloadValue.willAutoRenew)
            #expect(try await Transaction.all.all.map(\.id) == [bought.id])
            #expect(try await Transaction.unfinished.all == [])
            // The first news of the group is the renewal's.
            try await world.advance(to: try #require(bought.expirationDate).addingTimeInterval(1))
            #expect(try await statuses.first().first?.transaction.payloadValue.id != bought.id)
        }
    }

    @Test func `a payment that fails ends the entitlement while it is tried again`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await world.post("/subscriptions/\(bought.id)/fail-billing")
            let statuses = Collector.statuses()
            try await world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            let status = try #require(try await statuses.first().last)
            #expect(status.state == .inBillingRetryPeriod)
            #expect(try status.renewalInfo.payloadValue.isInBillingRetry)
            #expect(try await Transaction.currentEntitlements.all == [])
        }
    }

    @Test func `all statuses come by group, and an unknown group has none`() async throws {
        try await Kiosk.world().run {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            var groups: [String] = []
            for await (group, statuses) in Product.SubscriptionInfo.Status.all {
                groups.append(group)
                #expect(statuses.count == 1)
            }
            #expect(groups == [Kiosk.group])
            #expect(try await Product.SubscriptionInfo.status(for: "none").isEmpty)
            let status = try await Product.SubscriptionInfo.status(transactionID: bought.id)
            #expect(status?.state == .subscribed)
            #expect(await bought.subscriptionStatus == status)
        }
    }
}
