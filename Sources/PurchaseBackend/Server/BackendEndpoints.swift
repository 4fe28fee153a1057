import StoreConsole
import StoreHTTP
import StoreService
import StoreWire

/// The endpoints of one noun, and the document's schemas for its bodies.
protocol BackendEndpoints: SendableMetatype {
    static var all: [Endpoint<BackendScene>] { get }
    /// The parameters of its paths, where they mean the same in all of them.
    static var parameters: [Parameter] { get }
    /// Types of its bodies that are encoded as one value.
    static var scalars: [Scalar] { get }
    /// Schemas without a type.
    static var schemas: KeyValuePairs<String, JSONValue> { get }
}

extension BackendEndpoints {
    static var parameters: [Parameter] { [] }
    static var scalars: [Scalar] { [] }
    static var schemas: KeyValuePairs<String, JSONValue> { [:] }
}

/// Every address of the backend.
package enum BackendRoutes {
    static let nouns: [any BackendEndpoints.Type] = [
        ProcessEndpoints.self, MetricsEndpoints.self, OperatorConsoleEndpoints.self,
        ProductEndpoints.self, UserEndpoints.self, ReceiptEndpoints.self,
        BalanceEndpoints.self, OfferEndpoints.self, OperatorEndpoints.self,
        OperatorSubscriptionEndpoints.self,
        PriceEndpoints.self,
    ]

    static let table = Router(
        nouns.flatMap { $0.all } + ConsoleEndpoints<BackendScene>.files,
        bodyBytesMax: BackendLimits.bodyMax)
}
