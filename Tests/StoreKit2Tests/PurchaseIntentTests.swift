import Foundation
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// Purchases that customers begin outside the app.
@Suite struct PurchaseIntentTests {
    /// Begins a purchase on the app's store page.
    private static func leave(
        _ product: String, on device: Device, at milliseconds: Int64 = 1, winBack: String? = nil
    ) throws {
        try PromotedPurchase(
            productIdentifier: product, madeAtMilliseconds: milliseconds,
            winBackOfferIdentifier: winBack
        ).leave(home: device.path)
    }

    /// The files of the purchases that wait.
    private static func waiting(on device: Device) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: device.path + "/intents")) ?? []
    }

    private static func collector() -> Collector<PurchaseIntent> {
        let intents = PurchaseIntent.intents.makeAsyncIterator()
        return Collector { hear in
            var intents = intents
            while let intent = await intents.next() { hear(intent) }
        }
    }

    @Test func `a purchase begun outside the app comes to one iteration, with its product`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let (one, other) = (Self.collector(), Self.collector())
            let products = [Kiosk.issue, Kiosk.archive, Kiosk.summer]
            for (number, product) in products.enumerated() {
                try Self.leave(product, on: device, at: Int64(number))
                try await device.sees(product) { one.all.count + other.all.count == number + 1 }
            }
            let heard = one.all + other.all
            #expect(heard.map(\.id).sorted() == products.sorted())
            #expect(heard.allSatisfy { $0.offer == nil })
            #expect(Self.waiting(on: device).isEmpty)
            let issue = try #require(heard.first { $0.id == Kiosk.issue })
            #expect(issue.product.displayPrice == "$1.99")
            guard case .success(let bought) = try await issue.product.purchase() else {
                throw Trouble("not bought")
            }
            #expect(try bought.payloadValue.productID == Kiosk.issue)
        }
    }

    @Test func `a purchase waits while nobody iterates, and for the next launch`() async throws {
        let device = Device(world: try await Kiosk.world())
        try Self.leave(Kiosk.archive, on: device, at: 2)
        try Self.leave(Kiosk.issue, on: device, at: 1)
        try await device.launch {
            // The app runs, and listens to something else.
            let updates = Collector.updates()
            let bought = try await Kiosk.buy(Kiosk.summer)
            #expect(bought.productID == Kiosk.summer)
            #expect(Self.waiting(on: device).count == 2)
            updates.end()
        }
        let heard = try await device.launch { try await Self.collector().first(2).map(\.id) }
        #expect(heard == [Kiosk.issue, Kiosk.archive], "the oldest comes first")
    }

    @Test func `an iteration that waits for nothing, or was dropped, takes nothing with it`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let dropped = Self.collector()
            try Self.leave(Kiosk.issue, on: device)
            _ = try await dropped.first()
            dropped.end()
            await dropped.ended()
            // One that has begun, and is busy with something else.
            let busy = PurchaseIntent.intents.makeAsyncIterator()
            try Self.leave(Kiosk.archive, on: device)
            let other = Self.collector()
            #expect(try await other.first().map(\.id) == [Kiosk.archive])
            other.end()
            await other.ended()
            try Self.leave(Kiosk.summer, on: device)
            _ = try await Kiosk.buy(Kiosk.issue)
            #expect(Self.waiting(on: device).count == 1)
            var rest = busy
            #expect(await rest.next()?.id == Kiosk.summer)
            #expect(dropped.all.map(\.id) == [Kiosk.issue])
        }
    }

    @Test func `where both interfaces listen StoreKit 2 gets the purchase, alone`() async throws {
        let device = Device(world: try await Kiosk.world())
        try await device.launch {
            let observer = StoreObserver()
            SKPaymentQueue.default().add(observer)
            let intents = Self.collector()
            try Self.leave(Kiosk.issue, on: device)
            #expect(try await intents.first().map(\.id) == [Kiosk.issue])
            intents.end()
            await intents.ended()
            // Nobody else iterates: the next one is the observer's, and its alone.
            try Self.leave(Kiosk.archive, on: device)
            try await device.sees("the question") { !observer.asked.isEmpty }
            #expect(observer.asked == [Kiosk.archive])
            #expect(intents.all.count == 1)
        }
    }

    @Test func `an unknown product is dropped, and the next purchase comes`() async throws {
        let device = Device(world: try await Kiosk.world())
        try Self.leave("com.example.kiosk.none", on: device, at: 1)
        try Self.leave(Kiosk.issue, on: device, at: 2)
        let heard = try await device.launch { try await Self.collector().first().map(\.id) }
        #expect(heard == [Kiosk.issue])
        #expect(Self.waiting(on: device).isEmpty)
    }

    @Test func `a purchase waits for a store that does not answer`() async throws {
        let device = Device(world: try await Kiosk.world())
        try Self.leave(Kiosk.issue, on: device)
        let before = Self.waiting(on: device)
        try await device.launch(device.nobody) {
            let intents = Self.collector()
            try await device.sees("a question in vain") {
                let now = Self.waiting(on: device)
                return now.count == 1 && now != before
            }
            #expect(intents.all.isEmpty)
        }
        let heard = try await device.launch { try await Self.collector().first().map(\.id) }
        #expect(heard == [Kiosk.issue])
    }

    @Test func `a purchase with a win-back offer brings the offer, and no other price`()
        async throws
    {
        let device = Device(world: try await Kiosk.worldWithWinBack())
        try await device.launch {
            let bought = try await Kiosk.buy(Kiosk.monthly)
            try await device.world.post("/subscriptions/\(bought.id)/cancel")
            try await device.world.advance(
                to: try #require(bought.expirationDate).addingTimeInterval(1))
            // An observer could not buy with the offer, so none is asked.
            let observer = StoreObserver()
            SKPaymentQueue.default().add(observer)
            try Self.leave(Kiosk.monthly, on: device, at: 1, winBack: "no-more")
            try Self.leave(Kiosk.monthly, on: device, at: 2, winBack: Kiosk.winBack)
            try Self.leave(Kiosk.issue, on: device, at: 3)
            try await device.sees("the question") { !observer.asked.isEmpty }
            #expect(observer.asked == [Kiosk.issue])
            let intent = try #require(try await Self.collector().first().first)
            let offer = try #require(intent.offer)
            #expect(offer.id == Kiosk.winBack && offer.type == .winBack)
            #expect(Self.waiting(on: device).isEmpty)
            guard
                case .success(let result) = try await intent.product.purchase(options: [
                    .winBackOffer(offer)
                ])
            else { throw Trouble("not bought") }
            let back = try result.payloadValue
            #expect(back.offer?.id == Kiosk.winBack && back.price == Decimal(string: "0.99"))
        }
    }
}

/// An observer that puts off every purchase begun outside the app.
private final class StoreObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    private let products = Mutex<[String]>([])
    var asked: [String] { products.withLock { $0 } }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        products.withLock { $0.append(product.productIdentifier) }
        return false
    }
}
