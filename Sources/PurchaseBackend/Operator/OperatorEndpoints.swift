import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum OperatorEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", "/operator/v1/submissions", "lookUp",
            "Look up submissions, newest first",
            about: """
                All, or by user, transaction, digest or state; all given items must match. Other \
                names in the query are refused.
                """,
            takes: [
                Parameter(
                    .query, "user", "A user's name or identifier.", schema: "UserWord",
                    example: "driver"),
                Parameter(
                    .query, "transaction", "A transaction, or the original one.",
                    schema: "TransactionWord", example: "1000000000000001"),
                Parameter(
                    .query, "digest", "Of the receipt.", schema: "Digest",
                    example: "6f32860910ca0fb2a20c7fda143666b09dbf8db5238195c90a586fb542ff0cad"),
                Parameter(
                    .query, "state", "Where the submission stands.", schema: "SubmissionState",
                    example: "kept"),
                .limit(BackendLimits.lookupDefault, countMax: BackendLimits.lookupMax),
                Parameter(
                    .query, "after", "The `nextAfter` of the previous page.",
                    schema: "SubmissionID",
                    example: "s-000000000000000000000004"),
            ],
            answers: [
                "A page, without histories."
            ],
            refuses: [
                404: "`notFound`: there is no such user.",
                422: "`badQuery`: the message says what is wrong with the query.",
            ],
            .now { call in try call.parts.operators.list(call.request) }
        ),
        Endpoint(
            "GET", "/operator/v1/users", "listUsers", "Users, by their names",
            about: "Names are compared as at sign-in. Other names in the query are refused.",
            takes: [
                Parameter(
                    .query, "search", "The beginning of their names.", schema: "UserWord",
                    example: "dri"),
                .limit(BackendLimits.lookupDefault, countMax: BackendLimits.lookupMax),
                Parameter(
                    .query, "after", "The `nextAfter` of the previous page.", schema: "UserWord",
                    example: "driver"),
            ],
            answers: ["A page of them."],
            refuses: [422: "`badQuery`: the message says what is wrong with the query."],
            .now { call in try call.parts.operators.users(call.request) }
        ),
        Endpoint(
            "GET", "/operator/v1/submissions/:submission", "showSubmission",
            "A submission with its history",
            answers: ["The submission."],
            refuses: [404: "`notFound`: there is no submission with that identifier."],
            .now { call in
                try call.parts.operators.show(
                    SubmissionID(call["submission"]), call.request)
            }
        ),
        Endpoint(
            "POST", "/operator/v1/submissions/:submission/retry", "retrySubmission",
            "Retry a submission",
            about: "One that is kept, was given up or was refused becomes due at once.",
            answers: [
                "Due; the worker asks the store."
            ],
            refuses: [
                404: "`notFound`: there is no submission with that identifier.",
                409: "`alreadyDelivered`: it was granted.",
                410: "`receiptDropped`: the bytes of the refused receipt were deleted.",
            ],
            .now { call in
                try call.parts.operators.retry(
                    SubmissionID(call["submission"]), call.request)
            }
        ),
        Endpoint(
            "POST", "/operator/v1/submissions/:submission/recheck", "recheckSubmission",
            "Ask the store again about a purchase that was granted",
            about: "When the store took it back, the grant is marked as refunded.",
            answers: [Answer(200, "What the store says now.", .json(OperatorRecheckBody.self))],
            refuses: [
                404: "`notFound`: there is no submission with that identifier.",
                409: "`notDelivered`: it was not granted.",
                503: """
                `noClearAnswer`: the store did not say; nothing was changed. \
                `stillAsking`: it has not answered yet; the history will say.
                """,
            ],
            .raw { call, _ in
                try call.parts.operators.recheck(SubmissionID(call["submission"]), call.context)
            }
        ),
    ]

    static let scalars: [Scalar] = [
        .cases(
            of: OperatorSubmissionBody.State.self, as: "SubmissionState",
            "`stalled`: kept, and no longer retried automatically.")
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "UserWord": [
            "type": "string", "description": "Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#, "minLength": 1,
            "maxLength": .integer(BackendLimits.lookupWordBytesMax),
        ],
        "TransactionWord": [
            "type": "string", "description": "Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#, "minLength": 1,
            "maxLength": .integer(BackendLimits.lookupWordBytesMax),
        ],
        "Digest": ["type": "string", "description": "A SHA-256.", "pattern": "^[0-9A-Fa-f]{64}$"],
        "Environment": .oneOf(StoreEnvironment.allCases.map(\.wireName)),
        "Count": ["type": "integer", "minimum": 0],
    ]
}

extension OperatorUserBody: Described {
    package static let notes: Notes = ["createdAt": .component("Timestamp")]
}

extension OperatorUsersBody: Described {
    package static let notes: Notes = [
        "users": ["maxItems": .integer(BackendLimits.lookupMax)],
        "nextAfter": "Absent on the last page.",
    ]
}

extension OperatorSubmissionBody: Described {
    package static let notes: Notes = [
        "submissionId": .component("SubmissionID"),
        "productId": "As submitted by the app.",
        "receivedAt": .component("Timestamp"),
        "changedAt": .component("Timestamp"),
        "timesReceived": .component("Count"),
        "tries": .component("Count"),
        "environment": .component(
            "Environment", "Which was asked last, with the answer in the two after it."),
        "lastTriedAt": .component("Timestamp"),
        "nextTryAt": .component("Timestamp", "Absent when nothing more will happen automatically."),
        "stalledAt": .component("Timestamp"),
        "reason": .component("RefusalReason"),
        "grant": "The transaction's grant, whoever owns it.",
        "history": [
            "description": "Oldest first; only of one submission.",
            "maxItems": .integer(BackendLimits.historyMax),
        ],
        "historyLeftOut": ["description": "How many older entries there are.", "minimum": 1],
    ]
}

extension OperatorGrantBody: Described {
    package static let notes: Notes = [
        "submissionId": .component("SubmissionID"),
        "kind": .oneOf(ProductKind.allCases.map(\.rawValue)),
        "environment": .component("Environment"),
        "quantity": ["minimum": 1],
        "grantedAt": .component("Timestamp"),
        "refundedAt": .component("Timestamp", "When the store revoked the purchase."),
        "refundSeenAt": .component("Timestamp", "When the backend heard of it."),
        "keptQuantity": [
            "description": "How much of a refunded consumable was used and is kept.", "minimum": 1,
        ],
        "balance": "The user's, of a consumable.",
        "checkedAt": .component("Timestamp", "When the store last said that it stands."),
        "nextCheckAt": .component("Timestamp", "Absent when no check is planned."),
        "checkFailures": ["description": "Consecutive checks without an answer.", "minimum": 1],
    ]
}

extension OperatorEventBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "at": 1_714_558_835_000, "environment": "Production", "event": "granted",
                "httpStatus": 200, "requestId": "worker", "storeStatus": 0,
                "triedAt": 1_714_558_835_000, "tryNumber": 2,
            ]
        ],
        "at": .component("Timestamp"),
        "event": [
            "enum": [
                "received", "receivedAgain", "kept", "stalled", "retried", "granted",
                "alreadyGranted", "refused", "rechecked", "refunded", "refundReversed",
                "receiptDropped",
            ]
        ],
        "requestId": "The `Request-Id` of the request that caused it, or `worker`.",
        "tryNumber": [
            "description": "Absent when the store was not asked, as the four after it.",
            "minimum": 1,
        ],
        "triedAt": .component("Timestamp"),
        "environment": .component("Environment"),
    ]
}

extension OperatorSubmissionsBody: Described {
    package static let notes: Notes = [
        "submissions": ["maxItems": .integer(BackendLimits.lookupMax)],
        "nextAfter": .component(
            "SubmissionID", "The `after` of the next page; absent on the last."),
    ]
}

extension OperatorRecheckBody: Described {
    package static let notes: Notes = [
        "outcome": """
        `notListed`: the receipt is good and does not list the purchase; the grant \
        stays, as with `storeRefused`.
        """
    ]
}

extension OperatorSubmissionBody.Receipt: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "sha256": .component("Digest"),
        "byteCount": .component("Count"),
        "droppedAt": .component("Timestamp", "When its bytes were deleted."),
    ]
}
