import StoreConsole
import StoreHTTP
import StoreService
import StoreWire

/// The endpoints of one noun, by place, and the documentation of its bodies.
protocol StoreEndpoints: SendableMetatype {
    /// At the root only.
    static var root: [Endpoint<StoreHandler>] { get }
    /// Below a world's `/control/v1`.
    static var control: [Endpoint<Scene>] { get }
    /// Below a world's `/production` and `/sandbox`.
    static var environment: [Endpoint<Scene>] { get }
    /// The parameters of its paths that mean the same in all of them.
    static var parameters: [Parameter] { get }
    /// Types of its bodies that are encoded as one value.
    static var scalars: [Scalar] { get }
    /// Schemas without a type.
    static var schemas: KeyValuePairs<String, JSONValue> { get }
}

extension StoreEndpoints {
    static var root: [Endpoint<StoreHandler>] { [] }
    static var control: [Endpoint<Scene>] { [] }
    static var environment: [Endpoint<Scene>] { [] }
    static var parameters: [Parameter] { [] }
    static var scalars: [Scalar] { [] }
    static var schemas: KeyValuePairs<String, JSONValue> { [:] }
}

/// A request in a world.
typealias StoreCall = Call<Scene>

/// Every address of the store: one table for its root, two for each world.
package enum StoreRoutes {
    /// All nouns with endpoints or schemas.
    static let nouns: [any (StoreEndpoints & SendableMetatype).Type] = [
        ProcessEndpoints.self, MetricsEndpoints.self, StoreConsoleEndpoints.self,
        WorldEndpoints.self, SeedEndpoints.self,
        OverviewEndpoints.self, ClockEndpoints.self,
        FaultEndpoints.self, RequestLimitEndpoints.self,
        ShopEndpoints.self, SecretEndpoints.self, CatalogueEndpoints.self, PriceEndpoints.self,
        ReviewEndpoints.self, ContentEndpoints.self, ResourceEndpoints.self,
        AccountEndpoints.self, DeviceEndpoints.self, InstallationEndpoints.self,
        HistoryEndpoints.self, ActivityEndpoints.self,
        FamilyEndpoints.self, ApprovalEndpoints.self, KeyValueEndpoints.self,
        AppTransactionEndpoints.self,
        CreditEndpoints.self, LedgerEndpoints.self, GiftCodeEndpoints.self,
        PaymentEndpoints.self,
        RefundEndpoints.self, RevocationEndpoints.self, SaleEndpoints.self,
        SubscriptionEndpoints.self,
        PriceConsentEndpoints.self, WinBackEndpoints.self, OfferKeyEndpoints.self,
        OfferCodeEndpoints.self, RedemptionEndpoints.self, PurchaseEndpoints.self,
        UpdatesEndpoints.self, NewsWaitEndpoints.self, SignedDataEndpoints.self,
        RestoreEndpoints.self, ReceiptEndpoints.self, VerifyReceiptEndpoints.self,
        ServerAPIEndpoints.self, NotificationEndpoints.self, CertificateEndpoints.self,
        OCSPEndpoints.self,
    ]

    static let root = Router(
        nouns.flatMap { $0.root } + ConsoleEndpoints<StoreHandler>.files)
    static let control = Router(nouns.flatMap { $0.control })
    static let environment = Router(
        nouns.flatMap { $0.environment } + MissingServices.endpoints)
}

extension PathParameters {
    /// The value of a named part of the route's pattern.
    func named(_ name: String) -> String {
        guard let value = self[name] else {
            preconditionFailure("the route's pattern has no :\(name)")
        }
        return value
    }
}
