import StoreModel
package import StoreService
package import StoreWire

// Parameters, answers and schemas that the descriptions share.
extension ServerAPIEndpoints {
    static let parameters =
        ["transactionId", "originalTransactionId", "anyTransactionId"].map { name in
            Parameter(.path, name, schema: "TransactionID", example: "2000000000000000")
        } + [
            Parameter(
                .path, "orderId", "From the customer's invoice.",
                schema: [
                    "type": "string", "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
                    "maxLength": .integer(Limits.orderNumberBytesMax),
                ], example: "M0000000001A"),
            Parameter(
                .path, "testNotificationToken", "From the answer to the request for the test.",
                schema: "TestNotificationToken",
                example: "0b7ba2b1-8e2f-4b0e-9f1c-3f4f5a6b7c8d_1"),
            Parameter(.path, "productId", schema: "Identifier"),
            Parameter(.path, "requestIdentifier", schema: "MassExtensionID"),
        ]

    static let unauthenticated = Answer(
        401,
        """
        The word Unauthenticated: the token is missing, expired, or not signed with a valid key of \
        the app. The store's log says which.
        """,
        .bytes("text/plain", schema: ["type": "string"]),
        headers: ["WWW-Authenticate": ["schema": ["const": "Bearer"]]])

    static let revision = Parameter(
        .query, "revision", "That of the previous page, with the same filters.",
        schema: "HistoryRevision")

    static let filters = [
        Parameter(
            .query, "startDate", "The first purchase date, in milliseconds.", schema: "Timestamp"),
        Parameter(
            .query, "endDate", "The first later purchase date; after `startDate`.",
            schema: "Timestamp"),
        Parameter(.query, "productId", "May be repeated.", schema: "Identifier"),
        Parameter(
            .query, "productType", "May be repeated.",
            schema: .oneOf(["AUTO_RENEWABLE", "CONSUMABLE", "NON_CONSUMABLE", "NON_RENEWABLE"])),
        Parameter(.query, "sort", schema: .oneOf(["ASCENDING", "DESCENDING"])),
        Parameter(
            .query, "subscriptionGroupIdentifier", "May be repeated.", schema: "Identifier"),
        Parameter(
            .query, "inAppOwnershipType", schema: .oneOf(Ownership.allCases.map(\.rawValue))),
        Parameter(.query, "revoked", schema: .oneOf(["true", "false"])),
        Parameter(
            .query, "excludeRevoked", "Deprecated: true is `revoked=false`.",
            schema: .oneOf(["true", "false"])),
    ]

    static let signedList: JSONValue = [
        "type": "array", "items": .component("SignedData"),
    ]

    static func signed(_ name: String) -> JSONValue {
        .object([
            .init("type", "object"), .init("required", .names([name])),
            .init("properties", .object([.init(name, .component("SignedData"))])),
        ])
    }

    static func listed(_ required: [String]) -> JSONValue {
        [
            "type": "object", "required": .names(required + ["signedTransactions"]),
            "properties": [
                "appAppleId": .component("AppAppleID"), "bundleId": .component("BundleID"),
                "environment": .component("SignedEnvironmentName"), "hasMore": ["type": "boolean"],
                "revision": .component("HistoryRevision"), "signedTransactions": signedList,
            ],
        ]
    }

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "TestNotificationToken": [
            "type": "string", "pattern": "^[0-9a-f-]{36}_[1-9][0-9]{0,17}$",
        ],
        "SignedData": [
            "type": "string", "description": "A compact JWS, with its certificates in `x5c`.",
            "pattern": #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$"#,
        ],
        "HistoryRevision": ["type": "string", "pattern": "^[0-9]{1,19}-[0-9a-f]{24}$"],
        "AppAppleID": [
            "type": "integer", "description": "The app's number; in production only.",
        ],
        "SubscriptionStatuses": [
            "type": "object", "required": ["bundleId", "data", "environment"],
            "properties": [
                "appAppleId": .component("AppAppleID"), "bundleId": .component("BundleID"),
                "environment": .component("SignedEnvironmentName"),
                "data": [
                    "type": "array",
                    "items": [
                        "type": "object",
                        "required": ["lastTransactions", "subscriptionGroupIdentifier"],
                        "properties": [
                            "subscriptionGroupIdentifier": ["type": "string"],
                            "lastTransactions": [
                                "type": "array", "items": .component("LastTransaction"),
                            ],
                        ],
                    ],
                ],
            ],
        ],
        "LastTransaction": [
            "type": "object",
            "required": [
                "originalTransactionId", "signedRenewalInfo", "signedTransactionInfo", "status",
            ],
            "properties": [
                "originalTransactionId": .component("TransactionID"),
                "signedRenewalInfo": .component("SignedData"),
                "signedTransactionInfo": .component("SignedData"),
                "status": [
                    "description": """
                    1 active, 2 expired, 3 in billing retry, 4 in its grace period, 5 revoked.
                    """, "enum": .array(SignedStatus.allCases.map { .integer($0.rawValue) }),
                ],
            ],
        ],
        "ExtendRenewalDate": [
            "type": "object",
            "required": ["extendByDays", "extendReasonCode", "requestIdentifier"],
            "properties": [
                "extendByDays": ["type": "integer", "minimum": 1, "maximum": 90],
                "extendReasonCode": ["enum": [0, 1, 2, 3]],
                "requestIdentifier": ["type": "string", "minLength": 1, "maxLength": 128],
            ],
        ],
        "MassExtensionID": [
            "type": "string", "description": "A UUID, compared without regard to case.",
            "pattern": """
            ^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$
            """,
        ],
        "MassExtendRenewalDate": [
            "type": "object",
            "required": ["extendByDays", "extendReasonCode", "productId", "requestIdentifier"],
            "properties": [
                "extendByDays": ["type": "integer", "minimum": 1, "maximum": 90],
                "extendReasonCode": ["enum": [0, 1, 2, 3]],
                "productId": .component("Identifier"),
                "requestIdentifier": .component("MassExtensionID"),
                "storefrontCountryCodes": [
                    "type": "array", "minItems": 1, "items": .component("StorefrontCode"),
                    "description": "Of the periods that are extended; all without it.",
                ],
            ],
        ],
        "ConsumptionRequest": [
            "type": "object",
            "required": ["customerConsented", "deliveryStatus", "sampleContentProvided"],
            "properties": [
                "customerConsented": ["const": true],
                "consumptionPercentage": [
                    "type": "integer", "minimum": 0, "maximum": .integer(Percentage.whole),
                    "description": """
                    In thousandths of a percent; not for an auto-renewable subscription, and 0 for \
                    what was not delivered.
                    """,
                ],
                "deliveryStatus": .oneOf(
                    Consumption.DeliveryStatus.allCases.map(\.rawValue)),
                "refundPreference": .oneOf(Consumption.Preference.allCases.map(\.rawValue)),
                "sampleContentProvided": ["type": "boolean"],
            ],
        ],
        "ConsumptionRequestV1": ConsumptionReports.schemaOfFirst,
    ]
}

extension ExtendRenewalDateAnswer: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "effectiveDate": 1_714_558_830_123, "originalTransactionId": "2000000000000000",
                "success": true, "webOrderLineItemId": "6000000000000000",
            ]
        ],
        "originalTransactionId": .component("TransactionID"), "success": ["const": true],
    ]
}

extension MassExtendRenewalDateAnswer: Described {
    package static let notes: Notes = [
        "": ["example": ["requestIdentifier": "11111111-2222-4333-8444-555555555555"]],
        "requestIdentifier": .component("MassExtensionID"),
    ]
}

extension MassExtendRenewalDateStatusAnswer: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "complete": true, "completeDate": 1_714_558_830_123, "failedCount": 1,
                "requestIdentifier": "11111111-2222-4333-8444-555555555555",
                "succeededCount": 41,
            ]
        ],
        "requestIdentifier": .component("MassExtensionID"),
    ]
}
