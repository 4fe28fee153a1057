import Foundation
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

@Suite struct ProductsRequestTests {
    final class Asker: NSObject, SKProductsRequestDelegate, Sendable {
        struct Heard {
            var order: [String] = []
            var products: [SKProduct] = []
            var invalid: [String] = []
            var error: (any Error)?
        }
        let state = Mutex(Heard())
        let ended = DispatchSemaphore(value: 0)

        func productsRequest(
            _ request: SKProductsRequest, didReceive response: SKProductsResponse
        ) {
            state.withLock {
                $0.order.append("response")
                $0.products = response.products
                $0.invalid = response.invalidProductIdentifiers
            }
        }
        func requestDidFinish(_ request: SKRequest) {
            state.withLock { $0.order.append("finished") }
            ended.signal()
        }
        func request(_ request: SKRequest, didFailWithError error: any Error) {
            state.withLock {
                $0.order.append("failed")
                $0.error = error
            }
            ended.signal()
        }
        func isEnded() -> Bool {
            ended.wait(timeout: .now() + 120) == .success
        }
    }

    func client(_ shop: Shop) throws -> ProductsClient {
        let connection = StoreConnection(
            configuration: try shop.configuration, home: try HomeFolder(path: shop.home))
        return ProductsClient(
            connection: .success(connection), retries: Retries(delaysMilliseconds: [10]))
    }

    @Test func `known products and unknown identifiers are returned separately`() throws {
        let shop = try Shop()
        shop.store.next("products", .dropBefore, .status(503))
        let asker = Asker()
        let request = SKProductsRequest(
            productIdentifiers: [Shop.fuel, "unknown"], client: try client(shop))
        request.delegate = asker
        request.start()
        #expect(asker.isEnded())
        let heard = asker.state.withLock { ($0.order, $0.products, $0.invalid) }
        #expect(heard.0 == ["response", "finished"])
        #expect(heard.1.map(\.productIdentifier) == [Shop.fuel])
        #expect(heard.1.first?.price == NSDecimalNumber(string: "1.99"))
        #expect(heard.2 == ["unknown"])
    }

    @Test(arguments: [
        [FakeStore.Fault.status(400)],
        // A kept connection that closes is tried anew by the caller, so it takes more of these.
        Array(repeating: .dropBefore, count: 12),
        [.nonsense, .nonsense, .nonsense], [.status(500), .status(500), .status(500)],
    ])
    func `an unresponsive store gives an SKError and no response`(
        faults: [FakeStore.Fault]
    ) throws {
        let shop = try Shop()
        for fault in faults { shop.store.next("products", fault) }
        let asker = Asker()
        let request = SKProductsRequest(
            productIdentifiers: [Shop.fuel], client: try client(shop))
        request.delegate = asker
        request.start()
        #expect(asker.isEnded())
        #expect(asker.state.withLock { $0.order } == ["failed"])
        #expect(asker.state.withLock { $0.error is SKError })
    }

    /// Notes of each call whether it came after `start` had returned.
    private final class PatientAsker: NSObject, SKProductsRequestDelegate, Sendable {
        let hasStarted = DispatchSemaphore(value: 0)
        let wereAfterStart = Mutex<[Bool]>([])

        private func note() {
            let isAfter = hasStarted.wait(timeout: .now() + 120) == .success
            hasStarted.signal()
            wereAfterStart.withLock { $0.append(isAfter) }
        }

        func productsRequest(
            _ request: SKProductsRequest, didReceive response: SKProductsResponse
        ) { note() }

        func requestDidFinish(_ request: SKRequest) { note() }

        func request(_ request: SKRequest, didFailWithError error: any Error) { note() }
    }

    enum Ending: CaseIterable {
        case answered, answeredWithoutStore, refused, withoutStore
    }

    @Test(arguments: Ending.allCases)
    func `a request's delegate is called after start has returned, whatever its end`(
        ending: Ending
    ) async throws {
        let shop = try Shop()
        if ending == .refused { shop.store.next("products", .status(400)) }
        let nowhere = ProductsClient(
            connection: .failure(FailureReason(.unknown, "No store.")),
            retries: Retries(delaysMilliseconds: []))
        let request = SKProductsRequest(
            productIdentifiers: ending == .answeredWithoutStore ? [] : [Shop.fuel],
            client: ending == .withoutStore ? nowhere : try client(shop))
        let asker = PatientAsker()
        request.delegate = asker
        request.start()
        asker.hasStarted.signal()
        let isSuccess = ending == .answered || ending == .answeredWithoutStore
        let expected = isSuccess ? [true, true] : [true]
        try await shop.sees("the calls") {
            asker.wereAfterStart.withLock { $0.count == expected.count }
        }
        #expect(asker.wereAfterStart.withLock { $0 } == expected)
    }

    @Test func `thousands of identifiers are requested in parts`() throws {
        let shop = try Shop()
        let asker = Asker()
        let identifiers = (0..<2_500).map { "com.example.\($0)" }
        let request = SKProductsRequest(
            productIdentifiers: Set(identifiers), client: try client(shop))
        request.delegate = asker
        request.start()
        #expect(asker.isEnded())
        let found = asker.state.withLock { $0.products.map(\.productIdentifier) }
        #expect(Set(found) == Set(identifiers))
        #expect(shop.store.count("products") == 3)
    }

    @Test func `an empty products request is answered without the store`() throws {
        let shop = try Shop()
        let asker = Asker()
        let request = SKProductsRequest(productIdentifiers: [], client: try client(shop))
        request.delegate = asker
        request.start()
        #expect(asker.isEnded())
        #expect(asker.state.withLock { $0.order } == ["response", "finished"])
        #expect(shop.store.log.isEmpty)
    }

    @Test func `a products request without a store fails with an SKError`() {
        let asker = Asker()
        let request = SKProductsRequest(
            productIdentifiers: [Shop.fuel],
            client: ProductsClient(
                connection: .failure(FailureReason(.unknown, "No store.")),
                retries: Retries(delaysMilliseconds: [])))
        request.delegate = asker
        request.start()
        #expect(asker.isEnded())
        #expect(
            asker.state.withLock { ($0.error as? SKError)?.localizedDescription } == "No store.")
    }
}
