import StoreHTTP
import StoreModel
import StoreService
import StoreWire

extension ServerAPIEndpoints {
    /// What was notified, and tests of being notified.
    static let notifications: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/inApps/v1/notifications/history", "getNotificationHistory",
            "Get Notification History",
            about: """
                Of version 2, the newest first, for \
                \(Limits.notificationHistoryDays(.production)) days in production and \
                \(Limits.notificationHistoryDays(.sandbox)) in the sandbox.
                """,
            takes: [
                Parameter(
                    .query, "paginationToken", "That of the previous page, with the same filters.",
                    schema: ["type": "string", "maxLength": 255])
            ],
            body: RequestBody(
                .schema([
                    "type": "object", "required": ["startDate", "endDate"],
                    "properties": [
                        "startDate": ["type": "integer", "format": "int64"],
                        "endDate": ["type": "integer", "format": "int64"],
                        "notificationType": ["type": "string"],
                        "notificationSubtype": ["type": "string"],
                        "onlyFailures": ["type": "boolean"],
                        "transactionId": ["type": "string"],
                    ],
                ]),
                example: ["endDate": 1_716_558_830_000, "startDate": 1_714_558_830_000]),
            answers: [
                .init(
                    200, "A page of them.",
                    .schema([
                        "type": "object", "required": ["hasMore", "notificationHistory"],
                        "properties": [
                            "hasMore": ["type": "boolean"],
                            "notificationHistory": [
                                "type": "array",
                                "maxItems": .integer(NotificationHistory.pageCountMax),
                                "items": historyItem,
                            ], "paginationToken": ["type": "string"],
                        ],
                    ])),
                unauthenticated,
            ],
            errors: [
                .invalidTransactionID, .startDateTooFarInPast,
                .startDateAfterEndDate, .invalidPaginationToken, .invalidStartDate,
                .invalidEndDate, .invalidNotificationType, .multipleFiltersSupplied,
                .accountNotFound, .transactionIDNotFound,
            ],
            perSecond: 50,
            .raw { call, responder in try NotificationHistory.list(call, responder) }),
        Endpoint(
            "POST", "/inApps/v1/notifications/test", "requestTestNotification",
            "Request a Test Notification",
            about: "It has version 2, whatever the address takes.",
            answers: [
                .init(
                    200, "What to ask for its status with.",
                    .schema([
                        "type": "object", "required": ["testNotificationToken"],
                        "properties": ["testNotificationToken": ["type": "string"]],
                    ])),
                unauthenticated,
            ], errors: [.serverNotificationURLNotFound], perSecond: 1,
            .later { call in try await NotificationHistory.requestTest(call) }),
        Endpoint(
            "GET", "/inApps/v1/notifications/test/:testNotificationToken",
            "getTestNotificationStatus", "Get Test Notification Status",
            answers: [
                .init(200, "The test with its attempts.", .schema(historyItem)), unauthenticated,
            ], errors: [.invalidTestNotificationToken, .testNotificationNotFound], perSecond: 1,
            .now { call in
                try NotificationHistory.testStatus(call, call["testNotificationToken"])
            }),
    ]

    private static let historyItem: JSONValue = [
        "type": "object", "required": ["sendAttempts", "signedPayload"],
        "properties": [
            "sendAttempts": ["type": "array", "items": .component("SendAttempt")],
            "signedPayload": .component("SignedData"),
        ],
    ]
}
