import ModernClient
import StoreKit
import Testing

@Suite struct ProductsFetcherTests {
    @Test func `products are loaded once and then served from memory`() async throws {
        let request = RequestDouble(productIdentifiers: ["gem"])
        request.result = .success(ResponseDouble([ProductDouble("gem")]))
        let fetcher = ProductsFetcher { _ in request }
        #expect(try await fetcher.products(["gem"]).map(\.productIdentifier) == ["gem"])
        #expect(try await fetcher.products(["gem"]).count == 1)
        #expect(request.starts == 1)
    }

    @Test func `unknown identifiers and a failing store are distinguishable`() async throws {
        let request = RequestDouble(productIdentifiers: ["nothing"])
        request.result = .success(ResponseDouble([], invalid: ["nothing"]))
        let fetcher = ProductsFetcher { _ in request }
        await #expect {
            _ = try await fetcher.products(["nothing"])
        } throws: { error in
            guard case ProductsFetcher.Failure.unknownIdentifiers(["nothing"]) = error
            else { return false }
            return true
        }
        request.result = .failure(SKError(.cloudServiceNetworkConnectionFailed))
        await #expect {
            _ = try await fetcher.products(["nothing"])
        } throws: { error in
            guard case ProductsFetcher.Failure.store(let cause) = error else { return false }
            return (cause as? SKError)?.code == .cloudServiceNetworkConnectionFailed
        }
    }

    @Test func `a request that nobody keeps is answered`() async {
        let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
        let fetcher = LooseFetcher { result in
            guard case .failure(let error) = result else { return continuation.finish() }
            continuation.yield(error is SKError)
        }
        fetcher.ask(["gem"], cancelsAfterSeconds: 600)
        for await isStoreError in results {
            #expect(isStoreError, "there is no store")
            break
        }
        withExtendedLifetime(fetcher) {}
    }

    @Test func `a request without a store fails with an SKError`() async throws {
        await #expect {
            _ = try await ProductsFetcher().products(["gem"])
        } throws: { error in
            guard case ProductsFetcher.Failure.store(let cause) = error else { return false }
            return cause is SKError
        }
    }
}

@Suite @MainActor struct ShopperTests {
    let queue = QueueDouble()

    @Test func `a finished purchase is owned`() async throws {
        let shopper = Shopper(queue: queue)
        let account = UUID()
        let outcome = try await shopper.buy(ProductDouble("gem"), for: account)
        #expect(outcome == .bought(transactionIdentifier: "1"))
        #expect(shopper.owned == ["gem"])
        #expect(queue.finished.count == 1)
        #expect(queue.payments.first?.applicationUsername == account.uuidString)
    }

    @Test func `cancelling and waiting are not errors, and anything else is one`() async throws {
        let shopper = Shopper(queue: queue)
        queue.answer = (.failed, SKError(.paymentCancelled))
        #expect(try await shopper.buy(ProductDouble("gem")) == .cancelled)
        queue.answer = (.deferred, nil)
        #expect(try await shopper.buy(ProductDouble("gem")) == .waitsForApproval)
        queue.answer = (.failed, SKError(.ineligibleForOffer))
        await #expect(throws: SKError.self) { try await shopper.buy(ProductDouble("gem")) }
        #expect(queue.finished.count == 2)
    }
}

@Suite struct QueueWrapperTests {
    final class Listener: QueueWrapperDelegate, @unchecked Sendable {
        var heard: [String] = []

        func wrapper(_ wrapper: QueueWrapper, updated transaction: SKPaymentTransaction) {
            heard.append("updated \(transaction.payment.productIdentifier)")
            wrapper.finish(transaction)
        }
        func wrapper(_ wrapper: QueueWrapper, removed transaction: SKPaymentTransaction) {
            heard.append("removed \(transaction.payment.productIdentifier)")
        }
        func wrapper(
            _ wrapper: QueueWrapper, shouldAdd payment: SKPayment, for product: SKProduct
        ) -> Bool { true }
        func wrapper(_ wrapper: QueueWrapper, revoked productIdentifiers: [String]) {
            heard += productIdentifiers.map { "revoked \($0)" }
        }
        func wrapperChangedStorefront(_ wrapper: QueueWrapper) { heard.append("storefront") }
    }

    @Test func `a delegate hears of everything while it exists`() {
        let (queue, listener) = (QueueDouble(), Listener())
        let wrapper = QueueWrapper(queue: queue)
        #expect(queue.observers.isEmpty && queue.delegate === wrapper)
        wrapper.delegate = listener
        let discount = SKPaymentDiscount(
            identifier: "o", keyIdentifier: "k", nonce: UUID(), signature: "s", timestamp: 1)
        wrapper.add(wrapper.payment(for: ProductDouble("gem"), discount: discount))
        wrapper.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: ["gem"])
        wrapper.paymentQueueDidChangeStorefront(queue)
        #expect(listener.heard == ["updated gem", "removed gem", "revoked gem", "storefront"])
        #expect(queue.payments.first?.paymentDiscount === discount)
        wrapper.delegate = nil
        #expect(queue.observers.isEmpty)
    }

    @Test func `a restore can be awaited`() async throws {
        let (queue, listener) = (QueueDouble(), Listener())
        let wrapper = QueueWrapper(queue: queue)
        wrapper.delegate = listener
        try await wrapper.restore()
        queue.restoreError = SKError(.paymentCancelled)
        await #expect(throws: SKError(.paymentCancelled)) { try await wrapper.restore() }
    }
}

@Suite struct StoreItemTests {
    @Test func `a product becomes a plain value with its offers`() throws {
        let product = ProductDouble(
            "pro", price: "9.99", locale: "de_DE@currency=EUR",
            offers: [DiscountDouble(nil, .freeTrial), DiscountDouble("back", .payUpFront)])
        let item = StoreItem(product)
        #expect(item.displayPrice == "9,99\u{A0}€")
        #expect(item.currencyCode == "EUR")
        #expect(item.period?.unit == .month)
        #expect(item.introductoryOffer?.mode == .freeTrial)
        #expect(item.introductoryOffer?.isIntroductory == true)
        #expect(item.offers.map(\.identifier) == ["back"])
        #expect(item.offers.first?.price == Decimal(string: "0.99"))
        #expect(item.group == "group" && item.isFamilyShareable)
    }
}

@Suite @MainActor struct SharedProgressTests {
    /// What another device did arrives, and the model has heard of it.
    private func arrive(
        _ reason: Int, level: Int64, in store: KeyValueStoreDouble, at progress: SharedProgress
    ) async {
        let before = progress.changes.count
        store.values["level"] = level
        OperationQueue.main.addOperation {
            NotificationCenter.default.post(
                name: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store,
                userInfo: [
                    NSUbiquitousKeyValueStoreChangeReasonKey: reason,
                    NSUbiquitousKeyValueStoreChangedKeysKey: ["level"],
                ])
        }
        while progress.changes.count == before { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(10)))
    func `the higher subscription level wins and each account has its own`()
        async
    {
        let store = KeyValueStoreDouble()
        let progress = SharedProgress(store: store)
        progress.reach(3)
        progress.reach(2)
        #expect(store.values["level"] as? Int64 == 3)
        await arrive(NSUbiquitousKeyValueStoreServerChange, level: 5, in: store, at: progress)
        #expect(progress.level == 5)
        await arrive(NSUbiquitousKeyValueStoreInitialSyncChange, level: 1, in: store, at: progress)
        #expect(progress.level == 5 && store.values["level"] as? Int64 == 5)
        await arrive(NSUbiquitousKeyValueStoreAccountChange, level: 1, in: store, at: progress)
        #expect(progress.level == 1)
        #expect(progress.changes == [["level"], ["level"], ["level"]])
    }
}
