import BodegaTesting
import Foundation
import StoreKit
import Testing

/// Purchases of StoreKit 2 in a real store.
@Suite struct SignedBuyingTests {
    @Test func `a consumable is verified, unfinished until it is finished, and no entitlement`()
        async throws
    {
        let world = try await Kiosk.world()
        try await world.run {
            let token = UUID()
            let bought = try await Kiosk.buy(
                Kiosk.issue, options: [.quantity(3), .appAccountToken(token)])
            #expect(bought.productID == Kiosk.issue && bought.purchasedQuantity == 3)
            #expect(bought.productType == .consumable && bought.appAccountToken == token)
            #expect(bought.price == Decimal(string: "5.97") && bought.currency == "USD")
            #expect(bought.id == bought.originalID && bought.revocationDate == nil)
            #expect(bought.environment == .sandbox && bought.appBundleID == Kiosk.app)
            #expect(try await Transaction.unfinished.all == [bought])
            #expect(try await Transaction.all.all == [bought])
            #expect(try await Transaction.currentEntitlements.all == [])
            await bought.finish()
            #expect(try await Transaction.unfinished.all == [])
            #expect(try await Transaction.all.all == [])
            #expect(await Transaction.latest(for: Kiosk.issue) == .verified(bought))
        }
        #expect(try await world.transactions().map(\.productID) == [Kiosk.issue])
    }

    @Test func `a non-consumable is an entitlement as soon as the purchase returns`() async throws {
        try await Kiosk.world().run {
            let product = try await Kiosk.product(Kiosk.archive)
            #expect(await product.latestTransaction == nil)
            let bought = try await Kiosk.buy(Kiosk.archive)
            #expect(try await Transaction.currentEntitlements.all == [bought])
            #expect(try await Transaction.currentEntitlements(for: Kiosk.archive).all == [bought])
            #expect(try await Transaction.currentEntitlements(for: Kiosk.issue).all == [])
            #expect(await product.latestTransaction == .verified(bought))
            await bought.finish()
            #expect(try await Transaction.currentEntitlements.all == [bought])
            #expect(try await Transaction.all.all == [bought])
        }
    }

    @Test func `a purchase that a test deletes leaves every list`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await Kiosk.buy(Kiosk.archive)
            let kept = try await Kiosk.buy(Kiosk.issue)
            try await world.control("DELETE", "/transactions/\(bought.id)")
            try await AppStore.sync()
            #expect(try await Transaction.all.all.map(\.id) == [kept.id])
            #expect(try await Transaction.unfinished.all.map(\.id) == [kept.id])
            #expect(try await Transaction.currentEntitlements.all == [])
            #expect(await Transaction.latest(for: Kiosk.archive) == nil)
        }
    }

    @Test func `a non-renewing subscription that is bought twice is listed twice`() async throws {
        try await Kiosk.world().run {
            let first = try await Kiosk.buy(Kiosk.summer)
            let second = try await Kiosk.buy(Kiosk.summer)
            #expect(first.expirationDate == nil && first.id != second.id)
            #expect(
                try await Set(Transaction.currentEntitlements.all) == [first, second])
            await first.finish()
            #expect(try await Transaction.unfinished.all.map(\.id) == [second.id])
            let listed = try await Transaction.currentEntitlements.all.map(\.id)
            #expect(Set(listed) == [first.id, second.id])
        }
    }

    @Test func `what is bought here is told to the caller and to no sequence`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let updates = Collector.updates()
            let own = try await Kiosk.buy(Kiosk.archive)
            try await world.post(
                "/purchases",
                [
                    "account": world.buyer.name, "bundleId": Kiosk.app,
                    "productId": Kiosk.issue, "attemptId": UUID().uuidString,
                ])
            let heard = try await updates.first()
            #expect(heard.map(\.unsafePayloadValue.productID) == [Kiosk.issue])
            // Another listener begins with all that is unfinished, the newest first.
            let again = Collector.updates()
            #expect(
                try await again.first(2).map(\.unsafePayloadValue.id)
                    == [heard[0].unsafePayloadValue.id, own.id])
        }
    }

    @Test(arguments: [true, false])
    func `a customer who cancels the sheet buys nothing, and nothing comes of it later`(
        isSignedIn: Bool
    ) async throws {
        let device = Device(world: try await Kiosk.world())
        if isSignedIn { try await device.launch { try await AppStore.sync() } }
        try await device.launch(["STOREKIT_SHEET": "cancel"]) {
            let result = try await Kiosk.product(Kiosk.archive).purchase()
            guard case .userCancelled = result else { throw Trouble("got \(result)") }
            #expect(try await Transaction.all.all == [])
            #expect(try await Transaction.unfinished.all == [])
        }
        try await device.launch {
            let updates = Collector.updates()
            _ = try await Transaction.all.all
            // Whatever the purchase brought would come before this.
            try await device.world.sell(Kiosk.issue)
            let heard = try await updates.first().map(\.unsafePayloadValue.productID)
            #expect(heard == [Kiosk.issue])
            #expect(try await Transaction.all.products == [Kiosk.issue])
        }
        #expect(try await device.world.transactions().map(\.productID) == [Kiosk.issue])
    }

    @Test func `a purchase that waits for approval comes by the updates once it is given`()
        async throws
    {
        let world = try await Kiosk.world()
        let child = try await world.account("child@example.com", needsApproval: true)
        try await world.run(as: child) {
            let updates = Collector.updates()
            let result = try await Kiosk.product(Kiosk.archive).purchase()
            guard case .pending = result else { throw Trouble("got \(result)") }
            #expect(try await Transaction.unfinished.all == [])
            let number = try #require(try await world.approvals.first)
            try await world.post("/approvals/\(number)/approve")
            let heard = try await updates.first()
            #expect(try heard.map { try $0.payloadValue.productID } == [Kiosk.archive])
            #expect(try await Transaction.currentEntitlements.products == [Kiosk.archive])
        }
    }

    @Test func `a declined request brings nothing, and the next purchase is told`() async throws {
        let world = try await Kiosk.world()
        let child = try await world.account("child@example.com", needsApproval: true)
        try await world.run(as: child) {
            let updates = Collector.updates()
            _ = try await Kiosk.product(Kiosk.archive).purchase()
            let number = try #require(try await world.approvals.first)
            try await world.post("/approvals/\(number)/decline")
            try await world.post(
                "/accounts/settings", ["name": child.name, "needsApproval": false])
            let bought = try await Kiosk.buy(Kiosk.issue)
            #expect(try await Transaction.all.all == [bought])
            try await world.post(
                "/purchases",
                [
                    "account": child.name, "bundleId": Kiosk.app, "productId": Kiosk.summer,
                    "attemptId": UUID().uuidString,
                ])
            // Whatever the refusal brought would have come before this.
            let heard = try await updates.first().map(\.unsafePayloadValue.productID)
            #expect(heard == [Kiosk.summer])
        }
    }

    @Test func `an interrupted purchase is pending, and comes by the updates once it is resolved`()
        async throws
    {
        let world = try await Kiosk.world()
        try await world.post(
            "/accounts/settings", ["name": world.buyer.name, "interruptsPurchases": true])
        try await world.run {
            let updates = Collector.updates()
            let result = try await Kiosk.product(Kiosk.archive).purchase()
            guard case .pending = result else { throw Trouble("got \(result)") }
            try await world.post("/accounts/resolve", ["name": world.buyer.name])
            #expect(
                try await updates.first().map(\.unsafePayloadValue.productID) == [Kiosk.archive])
        }
    }

    @Test func `a refund is told by the updates and ends the entitlement`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let updates = Collector.updates()
            let bought = try await Kiosk.buy(Kiosk.archive)
            await bought.finish()
            try await world.refund("\(bought.id)")
            let heard = try #require(try await updates.first().first).payloadValue
            #expect(heard.id == bought.id && heard.revocationDate != nil)
            #expect(heard.revocationReason == .other)
            #expect(try await Transaction.currentEntitlements.all == [])
            #expect(try await Transaction.all.all == [heard])
        }
    }

    @Test func `quantities from 1 to 10 are sold, no others, and no plan of several payments`()
        async throws
    {
        let world = try await Kiosk.world()
        try await world.run {
            for quantity in [-1, 0, 11, Int.max] {
                await #expect(throws: Product.PurchaseError.invalidQuantity) {
                    try await Kiosk.buy(Kiosk.issue, options: [.quantity(quantity)])
                }
            }
            await #expect(throws: Product.PurchaseError.invalidQuantity) {
                try await Kiosk.buy(Kiosk.archive, options: [.quantity(2)])
            }
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await Kiosk.buy(Kiosk.issue, options: [.billingPlanType(.monthly)])
            }
        }
        #expect(try await world.transactions().isEmpty)
    }

    @Test func `a product that was taken off sale is unavailable`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let product = try await Kiosk.product(Kiosk.archive)
            try await world.control(
                "PUT", "/apps/\(Kiosk.app)/products/\(Kiosk.archive)/state",
                json: Data(#"{"state": "removedFromSale"}"#.utf8))
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                _ = try await product.purchase()
            }
            #expect(try await Product.products(for: [Kiosk.archive]).isEmpty)
        }
    }

    @Test func `a task that is cancelled buys nothing and reads nothing`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            _ = try await Kiosk.buy(Kiosk.archive)
            let product = try await Kiosk.product(Kiosk.issue)
            let (result, entitlements, products) = try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return (
                    try await product.purchase(),
                    try await Transaction.currentEntitlements.all,
                    try await Product.products(for: [Kiosk.issue])
                )
            }.value
            guard case .userCancelled = result else { throw Trouble("got \(result)") }
            #expect(entitlements == [] && products == [])
        }
        #expect(try await world.transactions().map(\.productID) == [Kiosk.archive])
    }

    @Test func `purchases side by side are each told to their own caller`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            let bought = try await withThrowingTaskGroup(of: Transaction.self) { group in
                for count in 1...10 {
                    group.addTask {
                        try await Kiosk.buy(Kiosk.issue, options: [.quantity(count)])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(bought.map(\.purchasedQuantity).sorted() == Array(1...10))
            #expect(Set(bought.map(\.id)).count == 10)
            #expect(try await Set(Transaction.unfinished.all) == Set(bought))
        }
        #expect(try await world.transactions().count == 10)
    }
}
