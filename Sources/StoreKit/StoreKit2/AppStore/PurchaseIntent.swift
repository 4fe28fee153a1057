/// A purchase that the customer began on the app's store page.
///
/// ```swift
/// @MainActor
/// func continuePurchases() async throws {
///     for await intent in PurchaseIntent.intents {
///         _ = try await intent.product.purchase()
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/purchaseintent>
@available(iOS 16.4, macOS 14.4, visionOS 1.0, *)
public struct PurchaseIntent: Equatable, Sendable {
    /// What the customer wants to buy.
    public let product: Product
    /// The offer that the customer chose; nil without one.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public let offer: Product.SubscriptionOffer?

    init(product: Product, offer: Product.SubscriptionOffer?) {
        self.product = product
        self.offer = offer
    }

    /// Purchases that customers began on the app's store page. Each comes once, to an iteration that
    /// waits for its next element; meanwhile it waits itself, also for the app's next launch.
    public static var intents: PurchaseIntents {
        // Each is taken when it is asked for, so nothing may take them in advance.
        let purchases = StoreContext.current.signedPurchases
        return PurchaseIntents { Pass(news: purchases.intents()) }
    }

    /// Purchases begun on the app's store page. Each iteration begins anew.
    public struct PurchaseIntents: AsyncSequence {
        /// A purchase that was begun.
        public typealias Element = PurchaseIntent

        /// One iteration.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            var pass: Pass<Element>

            /// The next purchase; nil when the task is cancelled.
            public mutating func next() async -> Element? { await pass.next() }
        }

        let start: @Sendable () -> Pass<Element>

        /// Begins an iteration.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pass: start()) }
    }
}

@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension PurchaseIntent: Identifiable {
    /// The product's identifier.
    public var id: Product.ID { product.id }
}
