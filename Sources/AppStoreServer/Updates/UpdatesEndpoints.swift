import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

/// What waits for an account's devices, and what happens to it.
enum UpdatesEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/device/v1/transactions", "listUnfinished",
            "The account's unfinished transactions in this app, oldest first",
            answers: [
                Answer(
                    200, "The transactions, and the cursor for updates.",
                    .json(UnfinishedBody.self))
            ],
            .raw { call, responder in
                UpdatesService.unfinished(call.request, call.context, responder)
            }
        ),
        Endpoint(
            "GET", "/device/v1/updates", "getUpdates",
            "The events since a cursor; waits for the first one",
            takes: [
                Parameter(
                    .query, "after", "The cursor of the last answer; 0 when absent.",
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 0),
                Parameter(
                    .query, "wait",
                    """
                    How many seconds to wait for something to happen, \(Limits.pollSecondsMax) \
                    at most; 0 when absent.
                    """,
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 0),
                Parameter(
                    .query, SignedPurchaseBody.queryName,
                    """
                    Whether to hear also of what only changes signed data, such as the end of a \
                    subscription; false when absent.
                    """, schema: ["enum": ["true", "false"]], example: "true"),
            ],
            answers: [
                Answer(
                    200,
                    """
                    At most \(Limits.eventsPerAnswerMax) events. None means that the wait \
                    ended.
                    """, .json(UpdatesBody.self))
            ],
            refuses: [
                400: """
                `badQuery`: `after` or `wait` is not a whole number from 0 up, or `signed` is \
                neither true nor false.
                """
            ],
            .raw { call, responder in UpdatesService.updates(call.request, call.context, responder)
            }
        ),
    ]
}

extension UnfinishedBody: Described {
    package static let notes: Notes = [
        "cursor": ["minimum": 0],
        "receiptRevision": .component("Revision"),
        "storefront": .component("StorefrontCode", "The account's, as of the cursor."),
        "priceConsents": [
            "description":
                "Price questions that the account has not answered; absent when there are none.",
            "minItems": 1, "maxItems": .integer(PriceConsentRules.pendingMax),
        ],
    ]
}

extension UpdatesBody: Described {
    package static let notes: Notes = [
        "events": ["maxItems": .integer(Limits.eventsPerAnswerMax)],
        "cursor": ["minimum": 0],
        "receiptRevision": .component("Revision"),
    ]
}

extension UpdateBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "number": ["minimum": 1],
        "kind": "`signedChanged` only for devices that ask for it with `signed`.",
        "transaction": "Present when the event is about a transaction.",
        "subject": "What else the event is about: for `declined`, the attempt's id.",
        "priceConsent": "For `priceConsent`: the question as it is now.",
    ]
}
