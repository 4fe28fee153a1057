import StoreHTTP
import StoreService
import StoreWire

/// Apple's services for servers that this store does not have: their addresses say so, once the
/// token is good.
///
/// They are routes, and in no document: an operation that never succeeds would only be in the way
/// of whoever makes a client from it.
enum MissingServices {
    /// The methods and path of each address, by the service that it belongs to.
    private static let addresses: KeyValuePairs<String, [String]> = [
        "retention messaging": [
            "PUT DELETE /inApps/v1/messaging/image/:imageIdentifier",
            "GET /inApps/v1/messaging/image/list",
            "PUT DELETE /inApps/v1/messaging/message/:messageIdentifier",
            "GET /inApps/v1/messaging/message/list",
            "PUT GET DELETE /inApps/v1/messaging/default/:productId/:locale",
            "PUT GET DELETE /inApps/v1/messaging/realtime/url",
            "POST /inApps/v1/messaging/performanceTest",
            "GET /inApps/v1/messaging/performanceTest/result/:requestId",
        ],
        "Advanced Commerce": [
            "POST /advancedCommerce/v1/subscription/cancel/:transactionId",
            "POST /advancedCommerce/v1/subscription/changeMetadata/:transactionId",
            "POST /advancedCommerce/v1/subscription/changePrice/:transactionId",
            "POST /advancedCommerce/v1/subscription/migrate/:transactionId",
            "POST /advancedCommerce/v1/subscription/revoke/:transactionId",
            "POST /advancedCommerce/v1/transaction/requestRefund/:transactionId",
        ],
        "external purchases": [
            "PUT /externalPurchase/v1/reports",
            "GET /externalPurchase/v1/reports/:requestIdentifier",
        ],
        "groups of customers": [
            "GET /groups/v1/currentGroups/:anyTransactionId",
            "GET /groups/v1/group/:groupId",
        ],
        "seats of subscriptions": [
            "GET POST /groups/v1/transactions/:originalTransactionId/seats",
            "DELETE /groups/v1/transactions/:originalTransactionId/seats/:seatClaimId",
            "POST /groups/v1/transactions/:originalTransactionId/seats/:seatClaimId/associate",
        ],
    ]

    static let endpoints: [Endpoint<Scene>] = addresses.flatMap { service, addresses in
        addresses.flatMap { address in
            let words = address.split(separator: " ").map(String.init)
            return words.dropLast().map { method in
                endpoint(method, words[words.count - 1], service)
            }
        }
    }

    /// An image may be larger than the usual body, which is refused before the token is read.
    private static func endpoint(
        _ method: String, _ path: String, _ service: String
    ) -> Endpoint<Scene> {
        Endpoint(
            method, path, "missing", service, bytesMax: Limits.catalogueBodyMax, answers: [],
            errors: [],
            .later { call in
                try await ServerAPI.serve(call) { _ in
                    try .json(
                        encoding: ServerAPIErrorBody(
                            errorCode: ServerAPIError.generalInternal.rawValue,
                            errorMessage: "This store does not have \(service)."),
                        status: 501)
                }
            })
    }
}
