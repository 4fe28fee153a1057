import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum ReceiptEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "POST", "/v1/receipts", "submitReceipt", "Submit a purchase",
            about: """
                Stored first, then verified with the store. Sending the same submission again \
                returns its outcome, and grants nothing twice.
                """,
            body: RequestBody(
                .json(ReceiptSubmissionBody.self),
                example: [
                    "appVersion": "1.0", "passThrough": ["level": "3"], "productId": "coins",
                    "receiptData": "MIIT0AYJKoZIhvcNAQcCoIITwTCCE70=",
                    "transactionId": "1000000000000001",
                ], bytesMax: BackendLimits.receiptBodyMax),
            answers: [
                Answer(
                    200, "Granted now or before, with the content.", .json(ReceiptOutcomeBody.self)
                ),
                Answer(
                    202,
                    """
                    Kept: the store has not given a clear answer yet. Do not finish the transaction.
                    """, .json(ReceiptOutcomeBody.self)),
                Answer(
                    403, "Refused with the reason `ownedByAnotherUser`.",
                    .json(ReceiptOutcomeBody.self)),
                Answer(
                    422, "Refused with a reason; or the error `badField`, and nothing is stored.",
                    .schema(["oneOf": [.component("Outcome"), .component("Error")]])),
            ],
            refuses: [
                429: """
                `tooManyOpen`: \(BackendLimits.openSubmissionsPerUserMax) receipts of the \
                user are waiting already, or receipts of more than \
                \(BackendLimits.smallReceiptBytesMax >> 10) KiB for which nothing was \
                granted take all the room for them. `tooManyRefused`: \
                \(BackendLimits.refusalsPerUserMax) were refused in the last \
                \(BackendLimits.refusalWindowMilliseconds / 60_000) minutes.
                """
            ],
            .raw { call, _ in
                let user = try call.context.user()
                call.context.read { try call.parts.receipts.submit(call.context, by: user) }
            }
        ),
        Endpoint(
            "GET", "/v1/receipts/:submission", "getSubmission",
            "The state of one's own submission",
            about: contentRule,
            answers: [Answer(200, "Its state.", .json(ReceiptOutcomeBody.self))],
            refuses: [404: "`notFound`: the user has none with that identifier."],
            .raw { call, _ in
                try call.parts.receipts.sendState(
                    SubmissionID(call["submission"]), call.context)
            }
        ),
        Endpoint(
            "GET", "/v1/purchases", "listPurchases",
            "Everything granted to the user, oldest first, and the state of subscriptions",
            about: """
                Before a subscription is listed as served, the store is asked about it, unless it \
                answered a moment ago.
                """,
            answers: [Answer(200, "The purchases.", .json(OwnedPurchasesBody.self))],
            .raw { call, _ in try call.parts.receipts.sendPurchases(call.context) }
        ),
    ]

    /// When content is given.
    static let contentRule = """
        Before content is given, the store is asked whether it revoked the purchase, unless it \
        answered a moment ago.
        """

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "ProductID": [
            "type": "string", "description": "Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#, "minLength": 1,
            "maxLength": .integer(BackendLimits.productIDBytesMax),
        ],
        "SubmissionID": ["type": "string", "pattern": "^s-[0-9a-f]{24}$"],
        "RefusalReason": [
            "enum": [
                "storeRefused", "sandboxNotAllowed", "wrongBundle", "wrongVersion",
                "productUnknown", "transactionNotInReceipt", "notASubscription", "cancelled",
                "ownedByAnotherUser",
            ]
        ],
    ]
}

extension ReceiptSubmissionBody: Described {
    package static var schemaName: String? { "Submission" }
    package static let notes: Notes = [
        "receiptData": [
            "description": "The app receipt in base64.",
            "pattern": """
            ^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$
            """, "maxLength": .integer(BackendLimits.receiptTextMax),
        ],
        "productId": .component("ProductID"),
        "transactionId": [
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#, "minLength": 1,
            "maxLength": .integer(BackendLimits.transactionIDBytesMax),
        ],
        "appVersion": [
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#, "minLength": 1,
            "maxLength": .integer(BackendLimits.appVersionBytesMax),
        ],
        "passThrough": [
            "description": "The app's own fields, returned unchanged with a grant.",
            "maxProperties": .integer(BackendLimits.passThroughFieldsMax),
            "propertyNames": ["maxLength": .integer(BackendLimits.passThroughNameBytesMax)],
            "additionalProperties": [
                "type": "string", "maxLength": .integer(BackendLimits.passThroughValueBytesMax),
            ],
        ],
    ]
}

extension ReceiptOutcomeBody: Described {
    package static var schemaName: String? { "Outcome" }
    package static let notes: Notes = [
        "": [
            "example": [
                "content": ["data": "MTAw", "mediaType": "text/plain", "name": "100 coins"],
                "productId": "coins", "status": "granted",
                "submissionId": "s-000000000000000000000004", "transactionId": "1000000000000001",
            ]
        ],
        "submissionId": .component("SubmissionID"),
        "content": "Absent for a subscription that is not in force.",
        "subscription": "The state of a subscription that has an end.",
        "reason": .component("RefusalReason", "With `refused`."),
        "storeStatus": "The store's own, with the reason `storeRefused`.",
        "message": "With `refused` and `kept`.",
    ]
}

extension ContentBody: Described {
    package static let notes: Notes = [
        "data": ["contentEncoding": "base64"]
    ]
}

extension OwnedPurchasesBody: Described {
    package static var schemaName: String? { "Purchases" }
    package static let notes: Notes = [
        "": [
            "example": [
                "purchases": [
                    [
                        "content": ["mediaType": "text/plain", "name": "100 coins"],
                        "environment": "Production", "grantedAt": 1_714_558_830_000,
                        "kind": "consumable", "originalTransactionId": "1000000000000001",
                        "productId": "coins", "quantity": 1, "transactionId": "1000000000000001",
                    ]
                ], "subscriptions": [],
            ]
        ],
        "subscriptions": """
        The state of every subscription that has an end, including ended ones: each \
        auto-renewable one, and the non-renewing ones of each service together.
        """,
        "purchases": "Without auto-renewable subscriptions.",
        "balances": "Of consumables; absent when the user never had any.",
    ]
}

extension OwnedPurchasesBody.ContentName: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [:]
}

extension OwnedPurchasesBody.Purchase: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "kind": ["enum": ["consumable", "nonConsumable", "nonRenewing"]],
        "environment": .oneOf(StoreEnvironment.allCases.map(\.wireName)),
        "quantity": ["minimum": 1],
        "grantedAt": .component("Timestamp"),
        "refundedAt": .component(
            "Timestamp", "When the store revoked the purchase, which then has no content."),
    ]
}
