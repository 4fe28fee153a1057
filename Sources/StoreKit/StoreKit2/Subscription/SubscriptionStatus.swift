extension Product.SubscriptionInfo {
    /// A customer's subscription in a group: its state, its latest transaction and its next renewal.
    ///
    /// ```swift
    /// func isMember(_ product: Product) async throws -> Bool {
    ///     let statuses = try await product.subscription?.status ?? []
    ///     return statuses.contains { $0.state == .subscribed || $0.state == .inGracePeriod }
    /// }
    /// ```
    ///
    /// Apple: <https://developer.apple.com/documentation/storekit/product/subscriptioninfo/status>
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct Status: Hashable, Sendable {
        /// The state.
        public let state: RenewalState
        /// The latest transaction.
        public let transaction: VerificationResult<Transaction>
        /// What the next renewal will be.
        public let renewalInfo: VerificationResult<RenewalInfo>

        init(
            state: RenewalState, transaction: VerificationResult<Transaction>,
            renewalInfo: VerificationResult<RenewalInfo>
        ) {
            self.state = state
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }

        /// The statuses of the customer's subscriptions, each time one changes.
        public static var updates: Statuses {
            Statuses(start: StoreContext.news { $0.statusUpdates() })
        }

        /// The statuses of all groups in which the customer ever subscribed, a group at a time.
        @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
        public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
            StoreContext.current.signedPurchases.allStatuses()
        }

        /// Statuses, each time one changes. Each iteration begins anew.
        public struct Statuses: AsyncSequence, Sendable {
            /// A status.
            public typealias Element = Status

            /// One iteration.
            public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
                var pass: Pass<Element>

                /// The next status; nil when the task is cancelled.
                public mutating func next() async -> Element? { await pass.next() }
            }

            let start: @Sendable () -> Pass<Element>

            /// Begins an iteration.
            public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pass: start()) }
        }
    }
}
