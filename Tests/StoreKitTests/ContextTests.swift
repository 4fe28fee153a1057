import Foundation
import Synchronization
import Testing

@testable import StoreKit

/// Which store a call of the public API means.
@Suite struct ContextTests {
    private func context(of shop: Shop) -> StoreContext {
        let settings = shop.settings()
        return StoreContext { StoreConfiguration.read(settings) }
    }

    @Test func `a context has one queue, key-value store and controller, and others have others`()
        async throws
    {
        let (one, other) = (context(of: try Shop()), context(of: try Shop()))
        func parts() -> [ObjectIdentifier] {
            [
                ObjectIdentifier(SKPaymentQueue.default()),
                ObjectIdentifier(NSUbiquitousKeyValueStore.default),
                ObjectIdentifier(SKProductStorePromotionController.default()),
            ]
        }
        let first = await one.run { parts() }
        #expect(await one.run { parts() } == first)
        let second = await other.run { parts() }
        #expect(Set(first + second + parts()).count == 9)
    }

    @Test func `tasks that a bound task creates are bound, detached ones are not`() async throws {
        let context = context(of: try Shop())
        await context.run {
            let child = await Task { StoreContext.current === context }.value
            let detached = await Task.detached { StoreContext.current === context }.value
            #expect(child && !detached)
        }
    }

    @Test func `inside a context another one may be bound`() async throws {
        let (one, other) = (context(of: try Shop()), context(of: try Shop()))
        await one.run {
            await other.run { #expect(StoreContext.current === other) }
            #expect(StoreContext.current === one)
        }
    }

    @Test func `the receipt's address is the context's`() async throws {
        let shop = try Shop()
        let context = context(of: shop)
        let path = await context.run { Bundle.main.appStoreReceiptURL?.path }
        #expect(path == shop.home + "/StoreKit/sandboxReceipt")
        #expect(Bundle.main.appStoreReceiptURL?.path != path)
    }

    @Test func `requests stay in the context in which they were created`() async throws {
        let shop = try Shop()
        let context = context(of: shop)
        let ear = RequestEar()
        let request = await context.run {
            UncheckedBox(SKProductsRequest(productIdentifiers: [Shop.fuel]))
        }.value
        request.delegate = ear
        request.start()
        try await shop.sees("the products") { ear.contexts.count == 2 }
        #expect(shop.store.count("products") == 1)
        #expect(ear.contexts.allSatisfy { $0 === context })
    }

    @Test func `observers are called in their context, and so are tasks that they create`()
        async throws
    {
        let shop = try Shop()
        let context = context(of: shop)
        let ear = ContextEar()
        await context.run {
            let payment = SKMutablePayment()
            payment.productIdentifier = Shop.fuel
            SKPaymentQueue.default().add(ear)
            SKPaymentQueue.default().add(payment)
        }
        try await shop.sees("the purchase") { ear.heard.count == 2 }
        #expect(ear.heard.allSatisfy { $0 === context })
        #expect(shop.store.count("attempts") == 1)
        context.queue.remove(ear)
    }
}

/// What would reach the tests beside it has a process of its own.
@Suite struct ProcessContextTests {
    @Test func `a session may take the place of the process's context, and give it back`()
        async
    {
        await #expect(processExitsWith: .success) {
            let settings = try Shop().settings()
            let own = SKPaymentQueue.default()
            let session = StoreContext { StoreConfiguration.read(settings) }
            StoreContext.replaceProcess(with: session)
            let during = SKPaymentQueue.default()
            StoreContext.replaceProcess(with: nil)
            #expect(during === session.queue && during !== own)
            #expect(SKPaymentQueue.default() === own)
        }
    }
}

/// Writes down the context in which it is called.
private final class RequestEar: NSObject, SKProductsRequestDelegate, Sendable {
    private let list = Mutex<[StoreContext]>([])
    var contexts: [StoreContext] { list.withLock { $0 } }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        list.withLock { $0.append(.current) }
    }

    func requestDidFinish(_ request: SKRequest) { list.withLock { $0.append(.current) } }
}

/// Writes down the context of each purchase, and that of a task that the news of it created.
private final class ContextEar: NSObject, SKPaymentTransactionObserver, Sendable {
    private let list = Mutex<[StoreContext]>([])
    var heard: [StoreContext] { list.withLock { $0 } }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            list.withLock { $0.append(.current) }
            Task { list.withLock { $0.append(.current) } }
        }
    }
}
