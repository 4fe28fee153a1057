import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum PriceEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", "/operator/v1/prices", "listPrices", "The backend's own price records",
            answers: ["By product, storefront and time."],
            .now { call in try call.parts.operators.prices(call.request) }
        ),
        Endpoint(
            "PUT", "/operator/v1/prices", "setPrices", "Replace the price records",
            about: "All of them at once. They decide about reports only, never about a delivery.",
            body: RequestBody(
                .json(PriceRecordsBody.self),
                example: [
                    "prices": [
                        [
                            "amount": 99, "currency": "USD", "productId": "coins",
                            "storefront": "USA",
                        ]
                    ]
                ], bytesMax: BackendLimits.priceRecordsBodyMax),
            answers: [Answer(200, "As they are now.", .json(PriceRecordsBody.self))],
            refuses: [
                422: """
                `badField`: the message names the record: an unknown storefront or currency, an \
                amount that is not possible, or times that overlap another record's.
                """
            ],
            .raw { call, _ in
                let context = call.context
                context.read { try context.parts.operators.setPrices(context) }
            }
        ),
        Endpoint(
            "GET", "/operator/v1/deliveries", "listDeliveries", "Everything that was delivered",
            about: """
                With one entry for each subscription, whose original transaction stands for all \
                its periods.
                """,
            takes: [
                Parameter(
                    .query, "after", "The `nextAfter` of the previous page.",
                    schema: ["type": "string"], example: "production/1000000000000001")
            ],
            answers: ["A page."],
            refuses: [422: "`badQuery`: the message says what is wrong with the query."],
            .now { call in try call.parts.operators.deliveries(call.request) }
        ),
    ]
}

extension PriceRecordBody: Described {
    package static let notes: Notes = [
        "productId": .component("ProductID"),
        "storefront": "Its country code.",
        "currency": ["pattern": "^[A-Z]{3}$"],
        "amount": [
            "description": "For one, in the currency's smallest unit, such as cents.",
            "minimum": 0, "maximum": .integer(BackendLimits.priceAmountMax),
        ],
        "from": .component("Timestamp", "By the store's clock; absent since ever."),
        "until": .component("Timestamp", "The first moment after it; absent for ever."),
    ]
}

extension PriceRecordsBody: Described {
    package static let notes: Notes = [
        "prices": ["maxItems": .integer(BackendLimits.priceRecordsMax)]
    ]
}

extension DeliveryBody: Described {
    package static let notes: Notes = [
        "environment": .component("Environment"),
        "kind": .oneOf(ProductKind.allCases.map(\.rawValue)),
        "grantedAt": .component("Timestamp"),
    ]
}

extension DeliveriesBody: Described {
    package static let notes: Notes = [
        "deliveries": ["maxItems": .integer(BackendLimits.deliveriesPerAnswerMax)],
        "nextAfter": "The `after` of the next page; absent on the last.",
    ]
}
