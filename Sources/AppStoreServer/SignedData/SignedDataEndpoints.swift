import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

/// Signed data for devices.
enum SignedDataEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/device/v1/signed", "getSignedData",
            "The account's signed data in this app, as far as they changed after an event",
            about: """
                Everything after 0, and after a number that the history has not reached. A \
                transaction comes when it was bought, renewed, shared, finished, taken back, given \
                back, replaced, or its period or user was changed, and when it was restored to this \
                device; one that restores a purchase comes with it. Signatures are new each time. \
                In a test session, a page also lists the numbers of transactions that were deleted.
                """,
            takes: [
                Parameter(
                    .query, "after", "The `cursor` of the last answer; 0 when absent.",
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 0),
                .limit(
                    SignedChangesBody.transactionsMax, countMax: SignedChangesBody.transactionsMax),
            ],
            answers: [Answer(200, "A page of them.", .json(SignedChangesBody.self))],
            refuses: [
                400: """
                `badQuery`: `after` is not a whole number from 0 up, or `limit` not a number from 1 \
                to \(SignedChangesBody.transactionsMax).
                """
            ],
            .raw { try SignedDataService.changes($0, $1) }
        ),
        Endpoint(
            "GET", "/device/v1/app-transaction", "getSignedAppTransaction",
            "When and with which version the account got the app, signed",
            answers: [
                "What *Get App Transaction Info* has, with the version of this installation."
            ],
            refuses: [404: "`appTransactionUnknown`: the account never got the app on a device."],
            .now { try SignedDataService.appTransaction($0) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "JWSBehindHeader": [
            "type": "string",
            "description": """
            The payload and the signature of a compact JWS (ES256): with the answer's header and a \
            full stop before it, a whole one. The payload is that of the App Store Server API, with \
            `deviceVerification` and `deviceVerificationNonce`.
            """, "pattern": #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$"#,
        ],
        "JWSHeader": [
            "type": "string",
            "description": "The header of every JWS in the answer, with its certificates.",
            "pattern": "^[A-Za-z0-9_-]+$",
        ],
    ]
}

extension Parameter {
    /// Of requests that buy something.
    static let signedPurchase = Parameter(
        .query, SignedPurchaseBody.queryName,
        "Whether the answer includes the signed data once the attempt is done.",
        schema: ["enum": ["true", "false"]], example: "true")
}

extension SignedChangesBody: Described {
    package static var schemaName: String? { "SignedChanges" }
    package static let notes: Notes = [
        "": ["example": ["cursor": 0, "hasMore": false, "transactions": []]],
        "header": .component("JWSHeader", "Absent when there is none."),
        "transactions": """
        Each once and as it is now, in the order of their newest events; more than `limit` when the \
        last event changed several.
        """,
        "deleted": [
            "description": "The numbers of those that a test deleted; absent when there are none.",
            "items": .component("TransactionID"),
        ],
        "groups": """
        All subscription groups of the app, when a status may have changed; on the last page only.
        """,
        "cursor": ["minimum": 0, "description": "The next `after`."],
        "hasMore": "Whether another page follows.",
    ]
}

extension SignedTransactionBody: Described {
    package static var schemaName: String? { "SignedTransaction" }
    package static let notes: Notes = [
        "transactionId": .component("TransactionID"),
        "attemptId": "As in other lists of transactions.",
        "deviceGuid": .component("UUID", "The device that made the attempt or asked to restore."),
        "isFinished": "True when it no longer needs to be delivered; absent while it waits.",
        "transaction": .component("JWSBehindHeader", "*JWSTransactionDecodedPayload*."),
    ]
}

extension SignedGroupBody: Described {
    package static var schemaName: String? { "SignedGroup" }
    package static let notes: Notes = [
        "isEligibleForIntroductoryOffer":
            "Whether the account has used no introductory offer of the group.",
        "statuses":
            "Empty when the account never subscribed; several with those of family members.",
    ]
}

extension SignedStatusBody: Described {
    package static var schemaName: String? { "SignedStatus" }
    package static let notes: Notes = [
        "status": [
            "description": """
            1 subscribed, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
            """, "enum": .array(SignedStatus.allCases.map { .integer($0.rawValue) }),
        ],
        "originalTransactionId": .component("TransactionID"),
        "transaction": .component("JWSBehindHeader", "The newest: *JWSTransactionDecodedPayload*."),
        "renewal": .component("JWSBehindHeader", "*JWSRenewalInfoDecodedPayload*."),
    ]
}

extension SignedPurchaseBody: Described {
    package static var schemaName: String? { "SignedPurchase" }
    package static let notes: Notes = [
        "header": .component("JWSHeader"),
        "groups": """
        All subscription groups of the app, when a subscription was bought or changed.
        """,
    ]
}

extension SignedAppTransactionBody: Described {
    package static var schemaName: String? { "SignedAppTransaction" }
    package static let notes: Notes = [
        "appTransaction": [
            "description": "A whole compact JWS (ES256).",
            "pattern": #"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){2}$"#,
        ]
    ]
}
