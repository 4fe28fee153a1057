import BodegaTesting
import Foundation
import StoreKit
import StoreWire
import Testing

/// Messages of the store for the customer.
@Suite struct MessageTests {
    private static func collector() -> Collector<Message.Reason> {
        let messages = Message.messages.makeAsyncIterator()
        return Collector { hear in
            var messages = messages
            while let message = await messages.next() { hear(message.reason) }
        }
    }

    private static func askForMore(_ world: BodegaWorld) async throws {
        try await world.post(
            "/price-consents",
            [
                "name": world.buyer.name, "bundleId": Kiosk.app, "productId": Kiosk.monthly,
                "price": "5.99",
            ])
    }

    private static func consents(_ world: BodegaWorld) async throws -> [PriceConsentState] {
        struct Consents: Decodable {
            struct Consent: Decodable {
                let state: PriceConsentState
            }

            let priceConsents: [Consent]
        }

        let answer = try await world.control("GET", "/price-consents")
        return try JSONDecoder().decode(Consents.self, from: answer).priceConsents.map(\.state)
    }

    @Test func `without a listener a price increase is shown by itself`() async throws {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let updates = Collector.updates()
            try await Self.askForMore(device.world)
            // The sheet of this device agrees to everything.
            try await device.sees("the answer") {
                try await Self.consents(device.world) == [.agreed]
            }
            updates.end()
        }
    }

    @Test func `whoever listens for messages decides when a price increase is shown`() async throws
    {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let messages = Self.collector()
            try await Self.askForMore(device.world)
            #expect(try await messages.first() == [.priceIncreaseConsent])
            // What waits is brought to each who begins.
            let later = Self.collector()
            #expect(try await later.first() == [.priceIncreaseConsent])
            _ = try await Kiosk.buy(Kiosk.issue)
            #expect(try await Self.consents(device.world) == [.pending])
            #expect(messages.all.count == 1 && later.all.count == 1, "told once")
        }
        // Not shown, it waits for the next launch.
        try await device.launch {
            let messages = Self.collector()
            #expect(try await messages.first() == [.priceIncreaseConsent])
            SKPaymentQueue.default().showPriceConsentIfNeeded()
            try await device.sees("the answer") {
                try await Self.consents(device.world) == [.agreed]
            }
            #expect(messages.all.count == 1)
            let later = Self.collector()
            try await Self.askForMore(device.world)
            #expect(try await later.first() == [.priceIncreaseConsent], "not the answered one")
        }
    }

    @Test func `trouble with a payment is told once each time, also before the first listening`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let world = device.world
        try await device.launch {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await world.control(
                "PUT", "/apps/\(Kiosk.app)/grace-period", json: Data("{\"days\": 3}".utf8))
            try await world.post("/subscriptions/\(bought.id)/fail-billing")
            let first = Self.collector()
            let statuses = Collector.statuses()
            let expiry = try #require(bought.expirationDate)
            try await world.advance(to: expiry.addingTimeInterval(1))
            #expect(try await first.first() == [.billingIssue])
            // Grace and retries are the same trouble.
            try await world.advance(.days(4))
            try await device.sees("retries") { statuses.all.last?.state == .inBillingRetryPeriod }
            let later = Self.collector()
            #expect(try await later.first() == [.billingIssue])
            try await world.post("/subscriptions/\(bought.id)/recover")
            try await device.sees("the recovery") { statuses.all.last?.state == .subscribed }
            let renewed = try #require(statuses.all.last).transaction.payloadValue
            try await world.post("/subscriptions/\(bought.id)/fail-billing")
            try await world.advance(
                to: try #require(renewed.expirationDate).addingTimeInterval(1))
            #expect(try await first.first(2) == [.billingIssue, .billingIssue])
            #expect(try await later.first(2).count == 2)
        }
    }

    @Test func `a win-back offer is told once when the subscription has ended`() async throws {
        let device = Device(world: try await Kiosk.worldWithWinBack())
        let world = device.world
        try await device.launch {
            let messages = Self.collector()
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await world.post("/subscriptions/\(bought.id)/cancel")
            try await world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            #expect(try await messages.first() == [.winBackOffer])
            let status = try #require(
                try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            #expect(try status.renewalInfo.payloadValue.eligibleWinBackOfferIDs == [Kiosk.winBack])
            #expect(messages.all.count == 1)
        }
        // The device knows it without the store, too.
        let offline = try await device.launch(device.nobody) {
            try await Self.collector().first()
        }
        #expect(offline == [.winBackOffer])
    }

    @Test func `a subscription that ends without an offer brings no message`() async throws {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let messages = Self.collector()
            let statuses = Collector.statuses()
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await device.world.post("/subscriptions/\(bought.id)/cancel")
            try await device.world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            try await device.sees("the end") { statuses.all.last?.state == .expired }
            // Another message after it would come behind it.
            try await Self.askForMore(device.world)
            #expect(try await messages.first() == [.priceIncreaseConsent])
        }
    }
}
