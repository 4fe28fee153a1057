import BodegaTesting
import Foundation
import StoreKit
import Testing

@testable import ManyWorldsProbe

/// Worlds of a store that tests of this process share.
@Suite struct WorldTests {
    @Test func `a subscription is bought, renewed and verified in a world`() async throws {
        let world = try await Rocket.world()
        #expect(try await world.live() == nil)
    }

    @Test func `what is bought in one world is in no other`() async throws {
        let (one, other) = (try await Rocket.world(), try await Rocket.world())
        let buyer = Buyer()
        try await one.run {
            buyer.listen()
            buyer.buy(Rocket.fuel)
        }
        try await buyer.hears("the fuel") { $0.purchases == [Rocket.fuel] }
        #expect(try await one.transactions().map(\.productID) == [Rocket.fuel])
        #expect(try await other.transactions() == [])
        let paths = try await (
            one.run { Bundle.main.appStoreReceiptURL }, other.run { Bundle.main.appStoreReceiptURL }
        )
        #expect(paths.0 != paths.1)
    }

    @Test func `inside a world another one may be bound, and the inner one counts`() async throws {
        let (one, other) = (try await Rocket.world(), try await Rocket.world())
        let buyer = Buyer()
        try await one.run {
            let outer = SKPaymentQueue.default()
            try await other.run {
                buyer.listen()
                buyer.buy(Rocket.fuel)
            }
            #expect(SKPaymentQueue.default() === outer)
        }
        try await buyer.hears("the fuel") { $0.purchases.count == 1 }
        #expect(try await one.transactions().isEmpty)
        #expect(try await other.transactions().count == 1)
    }

    @Test func `customers of a world have devices of their own`() async throws {
        let world = try await Rocket.world()
        let anna = try await world.account("anna@example.com", storefront: "DEU")
        let buyer = Buyer()
        try await world.run(as: anna) {
            buyer.listen()
            buyer.buy(Rocket.fuel)
        }
        try await buyer.hears("the fuel") { $0.purchases.count == 1 }
        #expect(try await world.transactions(of: world.buyer).isEmpty)
        let sale = try #require(try await world.transactions(of: anna).first)
        #expect(sale.account == anna.name && sale.currency == "EUR" && !sale.isRevoked)
        let first = try await world.run { SKPaymentQueue.default() }
        #expect(try await world.run(as: anna) { SKPaymentQueue.default() } !== first)
    }

    @Test func `a refund reaches the device and the list`() async throws {
        let world = try await Rocket.world()
        let buyer = Buyer()
        try await world.run {
            buyer.listen()
            buyer.buy(Rocket.club)
        }
        try await buyer.hears("the purchase") { $0.purchases.count == 1 }
        let sale = try #require(try await world.transactions().first)
        try await world.refund(sale)
        try await buyer.hears("the refund") { $0.revoked == [Rocket.club] }
        #expect(try await world.transactions().map(\.isRevoked) == [true])
    }

    @Test func `prices, credit, countries and the clock are the owner's`() async throws {
        let start = Date(timeIntervalSince1970: 1_900_000_000)
        let world = try await BodegaStore.shared.world(
            catalogue: .file(Rocket.catalogue), bundleID: Rocket.app, time: start)
        #expect(try await world.now == start)
        try await world.advance(.hours(2))
        try await world.advance(to: start + 86_400)
        #expect(try await world.now == start + 86_400)
        try await world.setPrice("7.99", of: Rocket.fuel)
        try await world.setPrice("8.99", of: Rocket.fuel, inStorefront: "DEU")
        try await world.topUp("4.99", for: world.buyer)
        #expect(try await world.credit(of: world.buyer) == ["USD": 4_990])
        try await world.move(world.buyer, toStorefront: "DEU")
        let buyer = Buyer()
        try await world.run {
            buyer.listen()
            buyer.buy(Rocket.fuel)
        }
        try await buyer.hears("the fuel") { $0.purchases.count == 1 }
        let sale = try #require(try await world.transactions().first)
        #expect(sale.priceMilliunits == 8_990 && sale.purchaseDate == start + 86_400)
    }

    @Test func `faults are borne by the device, and end`() async throws {
        let world = try await Rocket.world()
        try await world.faults.breakConnections(to: "/device/v1/attempts", count: 1)
        try await world.faults.delay("/device/v1/products", by: .milliseconds(20), count: 1)
        #expect(try await world.faultyPaths() == ["/device/v1/attempts", "/device/v1/products"])
        let loader = Loader()
        try await world.run { loader.request() }.value.start()
        #expect(try await loader.price() != nil)
        let buyer = Buyer()
        try await world.run {
            buyer.listen()
            buyer.buy(Rocket.fuel)
        }
        try await buyer.hears("the fuel") { $0.purchases.count == 1 }
        #expect(try await world.transactions().count == 1)
        #expect(try await world.faultyPaths() == [])
        try await world.faults.answerReceipts(21_005)
        let path = "/inApps/v1/notifications/test"
        try await world.faults.answer(500, to: path)
        let broken = try await world.run { try await Verdict(in: world, secret: "") }
        #expect(broken.status == 21_005)
        #expect(try await world.status(ofPostTo: path) == 500)
        try await world.faults.clear()
        #expect(try await world.run { try await Verdict(in: world, secret: "") }.status == 0)
        #expect(try await world.status(ofPostTo: path) == 401)
    }

    @Test func `faults added at once are all there, one for each path`() async throws {
        let world = try await Rocket.world()
        let paths = ["attempts", "products", "receipt"].map { "/device/v1/\($0)" }
        try await withThrowingTaskGroup { group in
            for path in paths { group.addTask { try await world.faults.answer(500, to: path) } }
            try await group.waitForAll()
        }
        #expect(try await world.faultyPaths() == paths)
        try await world.faults.clear()
        try await world.faults.answer(500, to: "/inApps/v1/transactions/1")
        try await world.faults.answer(404, to: "/inApps/v1/transactions/2")
        #expect(try await world.faultyPaths() == ["/inApps/v1/transactions/{transactionId}"])
        #expect(try await KnownFaults(of: world).requests?.map(\.status) == [404])
    }

    @Test func `products are asked for in the world in which the request was made`() async throws {
        let world = try await Rocket.world()
        try await world.setPrice("3.49", of: Rocket.fuel)
        let loader = Loader()
        let request = try await world.run { loader.request() }.value
        request.start()
        #expect(try await loader.price() == "3.49")
    }
}

/// The faults of requests, as the store knows them.
private struct KnownFaults: Decodable {
    struct One: Decodable {
        let path: String
        let status: Int?
    }

    let requests: [One]?

    init(of world: BodegaWorld) async throws {
        self = try JSONDecoder().decode(
            KnownFaults.self, from: await world.control("GET", "/faults"))
    }
}

extension BodegaWorld {
    fileprivate func faultyPaths() async throws -> [String] {
        try await KnownFaults(of: self).requests?.map(\.path).sorted() ?? []
    }

    fileprivate func status(ofPostTo path: String) async throws -> Int? {
        var request = URLRequest(url: url.appending(path: path))
        request.httpMethod = "POST"
        let (_, answer) = try await URLSession.shared.data(for: request)
        return (answer as? HTTPURLResponse)?.statusCode
    }
}

/// Loads the price of fuel.
private final class Loader: NSObject, SKProductsRequestDelegate, Sendable {
    struct Box: @unchecked Sendable {
        let value: SKProductsRequest
    }

    private let (prices, news) = AsyncStream.makeStream(of: String.self)

    func request() -> Box {
        let request = SKProductsRequest(productIdentifiers: [Rocket.fuel])
        request.delegate = self
        return Box(value: request)
    }

    func price() async throws -> String? {
        for await price in prices { return price }
        return nil
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        news.yield(response.products.first?.price.stringValue ?? "")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) { news.finish() }
}
