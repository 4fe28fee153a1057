import BodegaTesting
import Foundation
import StoreKit
import Testing

/// What an account's devices know of one another's purchases, and of an account that does not sign in.
@Suite struct AccountHistoryTests {
    @Test func `a purchase of another device comes by the updates, and its finish ends it there`()
        async throws
    {
        let world = try await Kiosk.world()
        let (one, other) = (Device(world: world), Device(world: world))
        let listening = one.context()
        defer { listening.end() }
        try await listening.run {
            let updates = Collector.updates()
            // The device is signed in from here on.
            _ = try await Transaction.all.all
            let bought = try await other.launch { try await Kiosk.buy(Kiosk.issue).id }
            let heard = try #require(try await updates.first().first).payloadValue
            #expect(heard.id == bought)
            #expect(try await Transaction.unfinished.all.map(\.id) == [bought])
            await heard.finish()
            try await other.sees("the finish") {
                try await other.launch { try await Transaction.unfinished.all.isEmpty }
            }
        }
    }

    @Test func `a list is of the moment, and the updates tell what came meanwhile`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let updates = Collector.updates()
            let bought = try await Kiosk.buy(Kiosk.archive)
            await bought.finish()
            var list = Transaction.all.makeAsyncIterator()
            #expect(await list.next() == .verified(bought))
            try await world.post(
                "/purchases",
                [
                    "attemptId": UUID().uuidString, "account": world.buyer.name,
                    "bundleId": Kiosk.app, "productId": Kiosk.summer,
                ])
            let told = try await updates.first().map(\.unsafePayloadValue.productID)
            #expect(told == [Kiosk.summer])
            #expect(await list.next() == nil)
        }
    }

    @Test func `purchases of several pages are each told verified, once`() async throws {
        let world = try await Kiosk.world()
        let count = 250
        for _ in 0..<count { try await world.sell(Kiosk.issue) }
        try await Device(world: world).launch {
            let updates = Collector.updates()
            let told = try await updates.first(count).map { try $0.payloadValue.id }
            let unfinished = try await Transaction.unfinished.all.map(\.id)
            #expect(unfinished.count == count)
            #expect(told.sorted() == unfinished.sorted())
        }
    }

    @Test func `a refunded product is the latest transaction, and no entitlement`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.archive)
            await bought.finish()
            func entitled() async throws -> [UInt64] {
                try await Transaction.currentEntitlements(for: Kiosk.archive).all.map(\.id)
            }
            #expect(try await entitled() == [bought.id])
            try await world.refund("\(bought.id)")
            try await AppStore.sync()
            let latest = try #require(await Transaction.latest(for: Kiosk.archive)).payloadValue
            #expect(latest.id == bought.id && latest.revocationDate != nil)
            #expect(try await entitled() == [])
        }
    }

    @available(*, deprecated)
    @Test func `the deprecated entitlement of a product is there until it is refunded`()
        async throws
    {
        let world = try await Kiosk.world()
        try await world.run {
            let product = try await Kiosk.product(Kiosk.archive)
            #expect(await product.currentEntitlement == nil)
            #expect(await Transaction.currentEntitlement(for: Kiosk.archive) == nil)
            let bought = try await Kiosk.buy(Kiosk.archive)
            #expect(await product.currentEntitlement == .verified(bought))
            #expect(
                await Transaction.currentEntitlement(for: Kiosk.archive) == .verified(bought))
            #expect(await Transaction.currentEntitlement(for: Kiosk.issue) == nil)
            try await world.refund("\(bought.id)")
            try await AppStore.sync()
            #expect(await product.currentEntitlement == nil)
            #expect(await Transaction.currentEntitlement(for: Kiosk.archive) == nil)
        }
    }

    @Test func `a refund while no app ran is told once, at the next launch`() async throws {
        let device = Device(world: try await Kiosk.world())
        let bought = try await device.launch {
            let bought = try await Kiosk.buy(Kiosk.archive)
            await bought.finish()
            return bought.id
        }
        try await device.world.refund("\(bought)")
        // What is sold once the refund was told comes behind whatever else tells of it.
        try await device.launch {
            let updates = Collector.updates()
            let told = try #require(try await updates.first().first).payloadValue
            #expect(told.id == bought && told.revocationDate != nil)
            #expect(try await Transaction.currentEntitlements.all == [])
            try await device.world.sell(Kiosk.issue)
            let heard = try await updates.first(2).map { try $0.payloadValue }
            #expect(heard.map(\.productID) == [Kiosk.archive, Kiosk.issue])
            await heard[1].finish()
        }
        try await device.launch {
            let updates = Collector.updates()
            _ = try await Transaction.all.all
            try await device.world.sell(Kiosk.summer)
            let heard = try await updates.first().map(\.unsafePayloadValue.productID)
            #expect(heard == [Kiosk.summer])
        }
    }

    @Test func `a refunded consumable is in the history, also when it was finished`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let (kept, refunded) = (
                try await Kiosk.buy(Kiosk.issue), try await Kiosk.buy(Kiosk.issue)
            )
            for transaction in [kept, refunded] { await transaction.finish() }
            #expect(try await Transaction.all.all == [])
            try await world.refund("\(refunded.id)")
            try await AppStore.sync()
            #expect(try await Transaction.all.all.map(\.id) == [refunded.id])
        }
    }

    @Test func `what a family shares is a member's entitlement until it is shared no more`()
        async throws
    {
        struct Made: Decodable {
            struct Family: Decodable {
                let number: Int
            }

            let family: Family
        }

        let world = try await Kiosk.world()
        let member = try await world.account("member@example.com")
        let bought = try await world.run { try await Kiosk.buy(Kiosk.archive) }
        #expect(bought.ownershipType == .purchased)
        let made = try await world.control(
            "POST", "/families",
            json: try JSONSerialization.data(withJSONObject: ["organiser": world.buyer.name]))
        let number = try JSONDecoder().decode(Made.self, from: made).family.number
        let family = "/families/\(number)"
        try await world.run(as: member) {
            let updates = Collector.updates()
            #expect(try await Transaction.currentEntitlements.all == [])
            try await world.post("\(family)/add", ["name": member.name])
            let shared = try #require(try await updates.first().first).payloadValue
            #expect(shared.ownershipType == .familyShared)
            #expect(shared.productID == Kiosk.archive && shared.id != bought.id)
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [shared.id])
            try await world.post(
                "\(family)/sharing", ["name": world.buyer.name, "sharesPurchases": false])
            let told = try #require(try await updates.first(2).last).payloadValue
            #expect(told.id == shared.id && told.revocationDate != nil)
            #expect(try await Transaction.currentEntitlements.all == [])
        }
        let kept = try await world.run { try await Transaction.currentEntitlements.all.map(\.id) }
        #expect(kept == [bought.id])
    }

    @Test func `a customer who cancels the sign-in cancels what asked for it`() async throws {
        let device = Device(world: try await Kiosk.world())
        try await device.launch(["STOREKIT_SHEET": "cancel"]) {
            do {
                try await AppStore.sync()
                Issue.record("signed in")
            } catch StoreKitError.userCancelled {}
            do {
                _ = try await AppTransaction.refresh()
                Issue.record("signed in")
            } catch StoreKitError.userCancelled {}
            do {
                _ = try await AppTransaction.shared
                Issue.record("somebody got the app")
            } catch StoreKitError.notEntitled {}
            #expect(try await Transaction.all.all == [])
        }
    }

    @Test func `a purchase of StoreKit 2 is in the receipt once that is refreshed`() async throws {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let bought = try await Kiosk.buy(Kiosk.archive)
            let receipt = URL(fileURLWithPath: device.path + "/StoreKit/sandboxReceipt")
            #expect(!FileManager.default.fileExists(atPath: receipt.path))
            let request = SKReceiptRefreshRequest()
            request.start()
            try await device.sees("the receipt") {
                FileManager.default.fileExists(atPath: receipt.path)
            }
            let text = try Data(contentsOf: receipt)
            #expect(text.range(of: Data("\(bought.id)".utf8)) != nil)
        }
    }
}
