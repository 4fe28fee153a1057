import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum OperatorSubscriptionEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", "/operator/v1/subscriptions", "lookUpSubscriptions",
            "Look up auto-renewable subscriptions, most recently begun first",
            about: """
                By user, transaction or trouble, of which one is needed; all given items must \
                match. Other names in the query are refused.
                """,
            takes: [
                Parameter(
                    .query, "user", "A user's name or identifier.", schema: "UserWord",
                    example: "driver"),
                Parameter(
                    .query, "transaction",
                    """
                    The newest or the original transaction; the answer then includes \
                    histories.
                    """, schema: "TransactionWord", example: "1000000000000001"),
                Parameter(
                    .query, "trouble", "Only those whose last check failed.",
                    schema: ["const": "true"], example: "true"),
                .limit(BackendLimits.lookupDefault, countMax: BackendLimits.lookupMax),
                Parameter(
                    .query, "after", "The `nextAfter` of the previous page.",
                    schema: ["type": "integer", "format": "int64", "minimum": 1], example: 50),
            ],
            answers: ["A page."],
            refuses: [
                404: "`notFound`: there is no such user.",
                422: "`badQuery`: the message says what is wrong with the query.",
            ],
            .now { call in try call.parts.operators.listSubscriptions(call.request) }
        ),
        Endpoint(
            "POST", "/operator/v1/subscriptions/:original/check", "checkSubscription",
            "Check a subscription with the store now",
            takes: [
                Parameter(
                    .path, "original", "An original transaction.", schema: "TransactionWord",
                    example: "1000000000000001")
            ],
            answers: [
                Answer(
                    200,
                    "What is known after the store's answer; `trouble` says why there is none.",
                    .json(OperatorSubscriptionsBody.self))
            ],
            refuses: [
                404: "`notFound`: there is no subscription with that original transaction.",
                503: "`stillAsking`: the store has not answered yet; a later lookup will say.",
            ],
            .raw { call, _ in
                try call.parts.operators.checkSubscription(call["original"], call.context)
            }
        ),
    ]

}

extension UserSubscriptionBody: Described {
    package static var schemaName: String? { "Subscription" }
    package static let notes: Notes = [
        "": [
            "description": "Times are by the store's clock.",
            "example": [
                "autoRenews": true, "environment": "Production", "expires": 1_717_237_230_000,
                "inGracePeriod": false, "isServed": true, "kind": "autoRenewable",
                "originalTransactionId": "1000000000000001", "productId": "gold.month",
                "renewsAs": "gold.month", "service": "gold", "state": "active",
                "transactionId": "1000000000000001",
            ],
        ],
        "kind": ["enum": ["autoRenewable", "nonRenewing"]],
        "service": "The service, by its name in the product list.",
        "environment": .component("Environment"),
        "state": """
        `billingRetry`: the payment failed and is being retried. `unconfirmed`: the \
        period is over, and the store has not been reached since.
        """,
        "isServed": "Whether the user gets the service: `active` and `gracePeriod`.",
        "expires": .component(
            "Timestamp",
            """
            The end of the paid period; for non-renewing subscriptions, of all that \
            were bought.
            """),
        "gracePeriodEnds": .component(
            "Timestamp",
            """
            An estimate, renewed with each answer of the store, when the receipt is one \
            of a single transaction, whose answers do not include it.
            """),
        "autoRenews": "Absent if the store does not say.",
        "renewsAs": "A product.",
        "reason": [
            "description": "Why it expired; absent when the store does not say.",
            "enum": .names(SubscriptionState.Reason.allCases.map(\.code)),
        ],
        "revokedAt": .component("Timestamp", "When the store revoked it."),
        "transactionId": "The newest; absent for non-renewing ones, which combine several.",
    ]
}

extension OperatorSubscriptionBody: Described {
    package static let notes: Notes = [
        "periodBegan": .component("Timestamp"),
        "answeredAt": .component("Timestamp", "The store's clock at that answer."),
        "checkedAt": .component("Timestamp", "The same time by the backend's clock."),
        "nextCheckAt": .component(
            "Timestamp", "By the backend's clock. Absent when no check is planned."),
        "quietChecks": .component("Count", "Consecutive checks that brought nothing new."),
        "failures": .component("Count", "Consecutive checks that failed."),
        "trouble": "Why the last check failed.",
        "receipt": "The newest receipt, which is sent to the store.",
        "history": [
            "description": "Oldest first; only when looked up by transaction.",
            "maxItems": .integer(BackendLimits.historyMax),
        ],
        "historyLeftOut": ["description": "How many older entries there are.", "minimum": 1],
    ]
}

extension OperatorSubscriptionBody.Event: Described {
    package static var schemaName: String? { "SubscriptionEvent" }
    package static let notes: Notes = [
        "at": .component("Timestamp"),
        "storeAt": .component("Timestamp", "By the store's clock."),
        "event": .oneOf(SubscriptionEvent.allCases.map(\.rawValue)),
        "expires": .component("Timestamp"),
    ]
}

extension OperatorSubscriptionsBody: Described {
    package static let notes: Notes = [
        "subscriptions": ["maxItems": .integer(BackendLimits.lookupMax)],
        "nextAfter": "The `after` of the next page; absent on the last.",
    ]
}

extension OperatorSubscriptionBody.Receipt: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "sha256": .component("Digest"),
        "byteCount": .component("Count"),
        "style": ["enum": ["unified", "transaction"]],
    ]
}
