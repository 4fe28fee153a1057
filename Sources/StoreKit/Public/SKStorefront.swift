public import Foundation

/// The country's store in which an account buys.
///
/// ```swift
/// func isSold(in countries: Set<String>) -> Bool {
///     guard let storefront = SKPaymentQueue.default().storefront else { return false }
///     return countries.contains(storefront.countryCode)
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skstorefront>
open class SKStorefront: NSObject, @unchecked Sendable {
    private let storedCountryCode: String
    private let storedIdentifier: String

    /// An empty storefront, for tests that override what they need.
    public override init() {
        storedCountryCode = ""
        storedIdentifier = ""
    }

    init(countryCode: String, identifier: String) {
        storedCountryCode = countryCode
        storedIdentifier = identifier
    }

    /// Three letters, as in ISO 3166-1: `DEU`.
    open var countryCode: String { storedCountryCode }

    /// The store's own number for it.
    open var identifier: String { storedIdentifier }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKStorefront else { return false }
        return countryCode == other.countryCode && identifier == other.identifier
    }

    open override var hash: Int { identifier.hashValue }
}
