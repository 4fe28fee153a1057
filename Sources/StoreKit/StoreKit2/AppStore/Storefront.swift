public import Foundation
import StoreModel

/// The country's store in which an account buys.
///
/// ```swift
/// func isSoldHere(in countries: Set<String>) async -> Bool {
///     guard let storefront = await Storefront.current else { return false }
///     return countries.contains(storefront.countryCode)
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/storefront>
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Storefront: Identifiable, Sendable {
    /// Three letters, as in ISO 3166-1: `DEU`.
    public let countryCode: String
    /// The store's own number for it.
    public let id: String

    init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }

    init(_ storefront: StoreModel.Storefront) {
        self.init(countryCode: storefront.countryCode, id: storefront.identifier)
    }

    /// The currency in which it sells; nil for a country without a store.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public var currency: Locale.Currency? {
        StoreModel.Storefront(countryCode: countryCode).map { Locale.Currency($0.currency.code) }
    }

    /// The storefront of the account on this device; nil when it is not known.
    public static var current: Storefront? {
        get async { await StoreContext.current.signedPurchases.storefront() }
    }

    /// The storefront, each time it changes.
    public static var updates: Storefronts {
        Storefronts(start: StoreContext.news { $0.storefrontUpdates() })
    }

    /// The storefront, each time it changes. Each iteration begins anew.
    public struct Storefronts: AsyncSequence, Sendable {
        /// A storefront.
        public typealias Element = Storefront

        /// One iteration.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            var pass: Pass<Element>

            /// The next storefront; nil when the task is cancelled.
            public mutating func next() async -> Element? { await pass.next() }
        }

        let start: @Sendable () -> Pass<Element>

        /// Begins an iteration.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pass: start()) }
    }
}
