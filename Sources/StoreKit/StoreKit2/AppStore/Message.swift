/// A message of the store for the customer, which the app may show when it suits.
///
/// ```swift
/// func showMessagesLater() async -> [Message] {
///     var waiting: [Message] = []
///     for await message in Message.messages where message.reason != .generic {
///         waiting.append(message)
///     }
///     return waiting
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/message>
@available(iOS 16.0, visionOS 1.0, *)
public struct Message: Hashable, Sendable {
    /// What it is about.
    public let reason: Reason

    init(reason: Reason) {
        self.reason = reason
    }

    /// The store's messages: those that wait now, and those that come. While an app listens, a price
    /// increase is not shown by itself: `SKPaymentQueue.showPriceConsentIfNeeded()` shows it.
    public static var messages: Messages {
        Messages(start: StoreContext.news { $0.messages() })
    }

    /// The store's messages. Each iteration brings each of them once.
    public struct Messages: AsyncSequence, Sendable {
        /// A message.
        public typealias Element = Message

        /// One iteration.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            var pass: Pass<Element>

            /// The next message; nil when the task is cancelled.
            public mutating func next() async -> Element? { await pass.next() }
        }

        let start: @Sendable () -> Pass<Element>

        /// Begins an iteration.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pass: start()) }
    }
}
