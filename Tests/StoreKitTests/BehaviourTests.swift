import Foundation
import Glibc
import StoreDigest
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// Rows of docs/storekit-behaviour.md that no other suite is about.
@Suite struct BehaviourTests {
    /// Notes on which threads it is called.
    final class ThreadNoter: NSObject, SKProductsRequestDelegate, Sendable {
        let onMain = Mutex<[Bool]>([])

        private func note() {
            let isMain = Thread.isMainThread
            onMain.withLock { $0.append(isMain) }
        }

        func productsRequest(
            _ request: SKProductsRequest, didReceive response: SKProductsResponse
        ) { note() }

        func requestDidFinish(_ request: SKRequest) { note() }

        func request(_ request: SKRequest, didFailWithError error: any Error) { note() }
    }

    private func client(_ shop: Shop) throws -> ProductsClient {
        let connection = StoreConnection(
            configuration: try shop.configuration, home: try HomeFolder(path: shop.home))
        return ProductsClient(
            connection: .success(connection), retries: Retries(delaysMilliseconds: [10]))
    }

    @Test func `a products request calls its delegate off the main thread`() async throws {
        let shop = try Shop()
        let noter = ThreadNoter()
        let request = SKProductsRequest(
            productIdentifiers: [Shop.fuel], client: try client(shop))
        request.delegate = noter
        request.start()
        try await shop.sees("both calls") { noter.onMain.withLock { $0.count == 2 } }
        #expect(noter.onMain.withLock { $0 } == [false, false])
    }

    /// Starts a request that only StoreKit keeps from then on.
    private func startAlone(_ shop: Shop, _ noter: ThreadNoter) throws -> WeakRequest {
        let request = SKProductsRequest(
            productIdentifiers: [Shop.fuel], client: try client(shop))
        request.delegate = noter
        request.start()
        return WeakRequest(request)
    }

    private final class WeakRequest {
        private(set) weak var request: SKProductsRequest?

        init(_ request: SKProductsRequest) { self.request = request }
    }

    @Test func `a started request that nobody keeps lives until its last callback`() async throws {
        let shop = try Shop()
        let gate = DispatchSemaphore(value: 0)
        shop.store.next("products", .held(gate))
        let noter = ThreadNoter()
        let request = try startAlone(shop, noter)
        try await shop.sees("the question") { shop.store.count("products") == 1 }
        #expect(request.request != nil)
        gate.signal()
        try await shop.sees("both calls") { noter.onMain.withLock { $0.count == 2 } }
        try await shop.sees("the request released") { request.request == nil }
    }

    @Test func `a started request whose delegate is gone is released`() async throws {
        let shop = try Shop()
        let gate = DispatchSemaphore(value: 0)
        shop.store.next("products", .held(gate))
        let request = try startAlone(shop, ThreadNoter())
        try await shop.sees("the question") { shop.store.count("products") == 1 }
        #expect(request.request?.delegate == nil)
        gate.signal()
        try await shop.sees("the request released") { request.request == nil }
    }

    @Test func `a cancelled request is released at once and calls nobody`() async throws {
        let shop = try Shop()
        let gate = DispatchSemaphore(value: 0)
        shop.store.next("products", .held(gate))
        let noter = ThreadNoter()
        let cancelled = try startAlone(shop, noter)
        try await shop.sees("the question") { shop.store.count("products") == 1 }
        cancelled.request?.cancel()
        #expect(cancelled.request == nil)
        gate.signal()
        // One that asks later has its answer.
        let other = ThreadNoter()
        let later = SKProductsRequest(
            productIdentifiers: [Shop.fuel], client: try client(shop))
        later.delegate = other
        later.start()
        try await shop.sees("the later answer") { other.onMain.withLock { $0.count == 2 } }
        #expect(noter.onMain.withLock { $0 }.isEmpty)
    }

    @Test func `a request does not retain its delegate`() throws {
        let shop = try Shop()
        let request = SKProductsRequest(
            productIdentifiers: [Shop.fuel], client: try client(shop))
        do {
            let noter = ThreadNoter()
            request.delegate = noter
            withExtendedLifetime(noter) { #expect(request.delegate != nil) }
        }
        #expect(request.delegate == nil)
    }

    @Test func `every observer is called and each may finish the same transaction`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let other = Ear(receiptPath: "")
        app.queue.add(other)
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await shop.sees("the other, too") { other.heard.purchased.count == 1 }
        for ear in [app.observer, other] {
            for transaction in ear.heard.transactions { app.queue.finishTransaction(transaction) }
        }
        try await app.hears("removed") { $0.removed.count == 1 }
        try await app.quiet()
        #expect(app.observer.heard.calls == other.heard.calls)
        #expect(app.observer.heard.removed.count == 1)
        #expect(other.heard.removed.count == 1)
        #expect(shop.store.count("finish") == 1)
        app.queue.remove(other)
    }

    @Test func `finishing a deferred transaction ends the app`() async {
        await #expect(processExitsWith: .failure) {
            let transaction = SKPaymentTransaction(
                key: QueueKey(attemptId: "A"), payment: PaymentContents(productIdentifier: "p"),
                presented: .deferred)
            SKPaymentQueue.default().finishTransaction(transaction)
        }
    }

    @Test func `an app exits cleanly while its files are being checked`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            // The last handler to run: it leaves the threads time after all others.
            atexit { usleep(100_000) }
            let begun = DispatchSemaphore(value: 0)
            for _ in 0..<2 {
                Thread.detachNewThread {
                    for number in 0... {
                        if number == 10 { begun.signal() }
                        _ = RunningDigest().finish()
                    }
                }
            }
            for _ in 0..<2 { begun.wait() }
            exit(0)
        }
    }

    @Test func `observers and delegates are not retained, and without any nothing is delivered`()
        async throws
    {
        final class Delegate: NSObject, SKPaymentQueueDelegate {}
        let shop = try Shop()
        let app = try shop.launch()
        weak var observer: Ear?
        weak var delegate: Delegate?
        do {
            let ear = Ear(receiptPath: "")
            let decider = Delegate()
            app.queue.add(ear)
            app.queue.delegate = decider
            observer = ear
            delegate = decider
            #expect(app.queue.transactionObservers.count == 1)
        }
        try await shop.sees("them gone") { observer == nil && delegate == nil }
        #expect(app.queue.transactionObservers.isEmpty)
        #expect(app.queue.delegate == nil)
        #expect(app.queue.transactions.isEmpty)
        shop.store.buyElsewhere(Shop.turbo)
        try shop.leaveBehind("A")
        let asked = shop.store.log
        // The journal is looked at every two seconds.
        try await app.quiet(looksAtHome: true)
        #expect(shop.store.log == asked)
        _ = app.start()
        app.buy(Shop.fuel)
        try await app.hears("what waited") { $0.purchased.count == 3 }
    }

    @Test func `an observer removed at once starts nothing`() async throws {
        let shop = try Shop()
        let first = try shop.launch().start()
        first.buy(Shop.fuel)
        try await first.hears("purchased") { $0.purchased.count == 1 }
        first.queue.remove(first.observer)
        try shop.leaveBehind("A")
        let app = try shop.launch()
        let isGone = DispatchSemaphore(value: 0)
        app.engine.events.async { isGone.wait() }
        app.queue.add(app.observer)
        app.queue.remove(app.observer)
        try await app.quiet()
        let asked = shop.store.log
        isGone.signal()
        try await app.quiet(looksAtHome: true)
        #expect(shop.store.log == asked)
        _ = app.start()
        try await app.hears("both") { $0.purchased.count == 2 }
    }

    @Test func `a payment whose observers leave before it is posted waits for another`()
        async throws
    {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.turbo)
        try await shop.sees("the sheet") { sheet.isOpen.withLock { $0 } }
        app.queue.remove(app.observer)
        sheet.mayClose.signal()
        try await app.quiet(looksAtHome: true)
        #expect(shop.store.count("attempts") == 0)
        _ = app.start()
        try await app.hears("purchased") { $0.purchased.count == 1 }
    }

    @Test func `an observer added again hears what happened meanwhile, and nothing twice`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        app.queue.remove(app.observer)
        #expect(app.queue.transactions.isEmpty)
        let meanwhile = shop.store.buyElsewhere(Shop.turbo)
        app.queue.add(app.observer)
        try await app.hears("the other") { $0.purchased.count == 2 }
        try await app.quiet()
        #expect(app.observer.heard.purchased.last == meanwhile.transactionId)
        #expect(app.observer.heard.purchased.count == 2)
        #expect(app.queue.transactions.count == 2)
    }

    @Test func `the list of transactions is a snapshot`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        let before = app.queue.transactions
        app.queue.finishTransaction(before[0])
        try await app.hears("removed") { $0.removed.count == 1 }
        #expect(before.count == 1)
        #expect(app.queue.transactions.isEmpty)
        #expect(before[0].transactionState == .purchased)
    }

    @Test(arguments: ["driver-7", "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a11"])
    func `the application user name returns with the purchase after a relaunch`(
        name: String
    ) async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.fuel
        payment.applicationUsername = name
        payment.quantity = 10
        app.queue.add(payment)
        // It was copied.
        payment.applicationUsername = "somebody else"
        try await app.hears("purchased") { $0.purchased.count == 1 }
        app.queue.remove(app.observer)
        let later = try shop.launch().start()
        try await later.hears("purchased") { $0.purchased.count == 1 }
        for transaction in app.observer.heard.transactions + later.observer.heard.transactions {
            #expect(transaction.payment.applicationUsername == name)
            #expect(transaction.payment.quantity == 10)
        }
    }

    @Test(arguments: [-31_536_000.0, 31_536_000])
    func `a device whose clock is a year off can buy and relaunch`(
        seconds: Double
    ) async throws {
        let shop = try Shop()
        let configuration = try shop.configuration
        let folder = try HomeFolder(path: shop.home)
        let parts = QueueEngine.Parts(
            connection: StoreConnection(configuration: configuration, home: folder),
            home: folder, sheet: AutomaticSheet(account: configuration.account),
            retries: Retries(delaysMilliseconds: [20]))
        let wrong = WallClock {
            Timestamp(
                milliseconds: Int64((Date().timeIntervalSince1970 + seconds) * 1_000))
        }
        let engine = QueueEngine(parts: .success(parts), clock: wrong)
        let queue = SKPaymentQueue(engine: engine)
        let ear = Ear(receiptPath: "")
        queue.add(ear)
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.fuel
        shop.store.next("attempts", .dropAfter)
        queue.add(payment)
        try await shop.sees("the purchase") { ear.heard.purchased.count == 1 }
        queue.remove(ear)
        let later = try shop.launch().start()
        try await later.hears("it again") { $0.purchased == ear.heard.purchased }
        #expect(shop.store.transactions.count == 1)
        // The date is the store's, not the device's.
        #expect(
            later.observer.heard.transactions.first?.transactionDate
                == Date(timeIntervalSince1970: 1_700_000_000.5))
    }
}
