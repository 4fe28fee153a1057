@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// Transactions that the store sends: a list, which ends, or updates, which do not.
    ///
    /// Each iteration asks anew.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct Transactions: AsyncSequence, Sendable {
        /// A signed transaction, verified or not.
        public typealias Element = VerificationResult<Transaction>

        /// One iteration.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            var pass: Pass<Element>

            /// The next transaction; nil at the end of the list, or when the task is cancelled.
            public mutating func next() async -> Element? { await pass.next() }
        }

        let start: @Sendable () -> Pass<Element>

        /// Begins an iteration.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pass: start()) }
    }

    /// Everything that the account bought and may still see: without finished consumables, unless
    /// they were refunded.
    public static var all: Transactions { list(.all) }

    /// What the customer may use now: non-consumables, and the latest period of each subscription
    /// that is paid for or in its days of grace. Nothing refunded or revoked, and no consumables.
    public static var currentEntitlements: Transactions { list(.currentEntitlements) }

    /// What the app has not finished yet.
    public static var unfinished: Transactions { list(.unfinished) }

    /// Transactions that do not come from a `purchase()` of this app on this device: renewals,
    /// approved purchases, those of other devices, refunds. Begins with all unfinished ones.
    public static var updates: Transactions {
        Transactions(start: StoreContext.news { $0.updates() })
    }

    /// Everything that the account bought of one product.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func all(for productID: String) -> Transactions {
        list(.allOf(productID: productID))
    }

    /// What the customer may use now through one product: several of them when family members
    /// share it.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public static func currentEntitlements(for productID: String) -> Transactions {
        list(.currentEntitlementsOf(productID: productID))
    }

    /// What the customer may use now through one product; nil if nothing.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use currentEntitlements(for:), since iOS 18.4.")
    public static func currentEntitlement(
        for productID: String
    ) async -> VerificationResult<Transaction>? {
        await StoreContext.current.signedPurchases
            .transactions(.currentEntitlementsOf(productID: productID)).first
    }

    /// The account's latest transaction of a product, also when it is finished or revoked.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await StoreContext.current.signedPurchases.latest(productID)
    }

    private static func list(_ selection: SignedPurchases.Selection) -> Transactions {
        let purchases = StoreContext.current.signedPurchases
        return Transactions { Pass { await purchases.transactions(selection) } }
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// Tells the store that what was bought is delivered.
    public func finish() async {
        await StoreContext.current.signedPurchases.finish(self)
    }

    /// The status of the subscription that the transaction belongs to; nil for other products, and
    /// when it is not known.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            try? await StoreContext.current.signedPurchases.status(transactionID: id)
        }
    }
}
