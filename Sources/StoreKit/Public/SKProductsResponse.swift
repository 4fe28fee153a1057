public import Foundation

/// The store's description of the requested products.
///
/// ```swift
/// func report(_ response: SKProductsResponse) {
///     for identifier in response.invalidProductIdentifiers {
///         print("\(identifier) is not for sale")
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproductsresponse>
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let storedProducts: [SKProduct]
    private let storedInvalidIdentifiers: [String]

    /// An empty response, for tests that override what they need.
    public override init() {
        storedProducts = []
        storedInvalidIdentifiers = []
    }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        storedProducts = products
        storedInvalidIdentifiers = invalidProductIdentifiers
    }

    /// The products that may be offered.
    open var products: [SKProduct] { storedProducts }

    /// The identifiers that are unknown or not for sale.
    open var invalidProductIdentifiers: [String] { storedInvalidIdentifiers }
}
