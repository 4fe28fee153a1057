import BodegaTesting
import Foundation
import StoreKit
import Testing

/// What becomes of a subscription later, as StoreKit 2 shows it.
@Suite struct SubscriptionHistoryTests {
    @Test func `renewals while no app ran come at its next launch, the newest first`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let bought = try await device.launch {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            await bought.finish()
            return bought
        }
        // The trial ends, and two months.
        try await device.world.advance(to: try #require(bought.expirationDate))
        try await device.world.advance(.days(62))
        try await device.launch {
            let heard = try await Collector.updates().first(3).map { try $0.payloadValue }
            #expect(heard.allSatisfy { $0.reason == .renewal && $0.originalID == bought.id })
            let dates = heard.map(\.purchaseDate)
            #expect(dates == dates.sorted(by: >) && Set(dates).count == 3)
            #expect(try await Transaction.all.all.map(\.id) == heard.map(\.id) + [bought.id])
        }
    }

    @Test func `a refund of a period that is over takes that one and changes no status`()
        async throws
    {
        let world = try await Kiosk.world()
        try await world.run {
            let updates = Collector.updates()
            let statuses = Collector.statuses()
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            let renewal = try #require(try await updates.first().first).payloadValue
            try await world.refund("\(bought.id)")
            let refunded = try #require(try await updates.first(2).last).payloadValue
            #expect(refunded.id == bought.id && refunded.revocationDate != nil)
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [renewal.id])
            #expect(await Transaction.latest(for: Kiosk.monthly) == .verified(renewal))
            try await world.post("/subscriptions/\(bought.id)/cancel")
            try await world.advance(
                to: try #require(renewal.expirationDate).addingTimeInterval(1))
            let states = try await statuses.first(3).map(\.state)
            #expect(states == [.subscribed, .subscribed, .expired], "none for the refund")
        }
    }

    @Test func `in its days of grace a subscription is an entitlement`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await world.control(
                "PUT", "/apps/\(Kiosk.app)/grace-period", json: Data("{\"days\": 3}".utf8))
            try await world.post("/subscriptions/\(bought.id)/fail-billing")
            let expiry = try #require(bought.expirationDate)
            let statuses = Collector.statuses()
            try await world.advance(to: expiry.addingTimeInterval(1))
            let status = try #require(try await statuses.first().last)
            #expect(status.state == .inGracePeriod)
            let renewal = try status.renewalInfo.payloadValue
            #expect(renewal.gracePeriodExpirationDate == expiry.addingTimeInterval(3 * 86_400))
            #expect(renewal.isInBillingRetry)
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [bought.id])
        }
    }

    @Test func `a win-back offer is eligible once the subscription has lapsed, and is bought`()
        async throws
    {
        let world = try await Kiosk.worldWithWinBack()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            func eligible() async throws -> [String] {
                let statuses = try await Product.SubscriptionInfo.status(for: Kiosk.group)
                return try #require(statuses.first).renewalInfo.payloadValue
                    .eligibleWinBackOfferIDs
            }
            #expect(try await eligible() == [])
            try await world.post("/subscriptions/\(bought.id)/cancel")
            try await world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            #expect(try await eligible() == [Kiosk.winBack])
            let offers = try await Kiosk.product(Kiosk.monthly).subscription?.winBackOffers
            let offer = try #require(offers?.first { $0.id == Kiosk.winBack })
            let back = try await Kiosk.buy(Kiosk.monthly, options: [.winBackOffer(offer)])
            #expect(back.id != bought.id && back.originalID == bought.originalID)
            #expect(back.offer?.type == .winBack && back.price == Decimal(string: "0.99"))
        }
    }

    @Test(arguments: [false, true])
    func `a code that was redeemed for a customer is told once, with its offer`(
        isListening: Bool
    ) async throws {
        let world = try await Kiosk.worldWithCode()
        let device = Device(world: world)
        if !isListening {
            try await device.launch { try await AppStore.sync() }
            try await Kiosk.redeemCode(in: world)
        }
        try await device.launch {
            let updates = Collector.updates()
            if isListening {
                try await AppStore.sync()
                try await Kiosk.redeemCode(in: world)
            }
            let told = try #require(try await updates.first().first).payloadValue
            #expect(told.productID == Kiosk.monthly)
            #expect(told.offer?.type == .code && told.offer?.id == Kiosk.codeOffer)
            #expect(told.price == Decimal(string: "0.49"))
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [told.id])
            #expect(try await Transaction.unfinished.all.map(\.id) == [told.id])
            await told.finish()
            // Whatever tells of it again would come before this.
            try await world.sell(Kiosk.issue)
            let heard = try await updates.first(2).map(\.unsafePayloadValue.productID)
            #expect(heard == [Kiosk.monthly, Kiosk.issue])
        }
        let launched = try await device.launch {
            try await Collector.updates().first().map(\.unsafePayloadValue.productID)
        }
        #expect(launched == [Kiosk.issue])
        #expect(try await world.transactions().count == 2)
    }

    @Test func `a second subscription of the group has no introductory offer`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let info = try #require(try await Kiosk.product(Kiosk.monthly).subscription)
            #expect(await info.isEligibleForIntroOffer)
            let bought = try await Kiosk.buy(Kiosk.monthly)
            #expect(bought.offer?.type == .introductory)
            try await world.post("/subscriptions/\(bought.id)/cancel")
            try await world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            #expect(await !info.isEligibleForIntroOffer)
            let again = try await Kiosk.buy(Kiosk.monthly)
            #expect(again.offer == nil && again.price == Decimal(string: "4.99"))
        }
    }

    @Test func `a cancelled task reads no status, and whether an offer is left`() async throws {
        try await Kiosk.world().run {
            let info = try #require(try await Kiosk.product(Kiosk.monthly).subscription)
            func readCancelled() async throws -> (statuses: Int, isEligible: Bool) {
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return (try await info.status.count, await info.isEligibleForIntroOffer)
                }.value
            }
            let before = try await readCancelled()
            #expect(before.statuses == 0 && before.isEligible)
            _ = try await Kiosk.buy(Kiosk.monthly)
            #expect(try await info.status.count == 1)
            let after = try await readCancelled()
            #expect(after.statuses == 0 && !after.isEligible)
        }
    }

    @Test(arguments: [60, 61])
    func `a gap of up to sixty days does not begin a subscription anew`(days: Int) async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await world.post("/subscriptions/\(bought.id)/cancel")
            let end = try #require(bought.expirationDate)
            // A minute less than the days, so that buying may take its time.
            try await world.advance(to: end.addingTimeInterval(Double(days) * 86_400 - 60))
            let again = try await Kiosk.buy(Kiosk.monthly)
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            let start = try status.renewalInfo.payloadValue.recentSubscriptionStartDate
            #expect(start == (days > 60 ? again : bought).purchaseDate)
        }
    }
}
