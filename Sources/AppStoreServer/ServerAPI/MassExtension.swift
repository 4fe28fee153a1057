import StoreModel
import StoreService
import StoreWire

/// An app's server's request to extend all subscribers of a product, and how far it was carried
/// out.
struct MassExtension: Sendable {
    /// What was asked for.
    struct Terms: Sendable {
        /// A UUID, as the app's server wrote it.
        let request: String
        let product: ProductID
        let days: Int
        /// The codes of their countries; nil for all.
        let storefronts: [String]?

        /// The identifier that is compared, and stands in the history.
        var key: String { request.lowercased() }
    }

    let number: Int64
    let app: AppID
    let environment: StoreEnvironment
    let terms: Terms
    /// The newest transaction when it was asked for; subscriptions that began later are not
    /// concerned.
    let last: TransactionID
    /// Subscriptions up to this one are done.
    var position: TransactionID
    var succeeded: Int64
    var failed: Int64
    /// Nil while some are left.
    var completedAt: Timestamp?
}

extension MassExtension.Terms {
    /// The terms in a request's body. Source: Apple, *MassExtendRenewalDateRequest*.
    init(_ body: JSONValue) throws {
        days = try RenewalExtension.days(in: body)
        guard let request = body["requestIdentifier"]?.string, isUUID(request) else {
            throw ServerAPIError.invalidRequestIdentifier
        }
        self.request = request
        guard let product = body["productId"]?.string, TransactionHistory.isIdentifier(product)
        else { throw ServerAPIError.invalidProductID }
        self.product = ProductID(product)
        storefronts = try body["storefrontCountryCodes"].map { value in
            let codes = try (value.array ?? [.null]).map { code in
                guard let known = code.string.flatMap(Storefront.init(countryCode:)) else {
                    throw ServerAPIError.invalidStorefrontCountryCode
                }
                return known.countryCode
            }
            guard !codes.isEmpty else {
                throw ServerAPIError.invalidEmptyStorefrontCountryCodeList
            }
            return Set(codes).sorted()
        }
    }
}
