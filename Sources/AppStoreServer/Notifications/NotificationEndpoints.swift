import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum NotificationEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(
            .path, "environment", schema: "Environment", example: "sandbox",
            unknown: """
                `appUnknown`, `environmentUnknown`: the app or the environment does not exist. \
                `notificationTargetUnknown`: the app's server has no address there.
                """),
        Parameter(
            .path, "notification", "Its number.", schema: "NotificationNumber", example: "1",
            unknown: """
                `notificationUnknown`: the world has none with that number. \
                `notificationTargetUnknown`: the app's server no longer has an address.
                """),
    ]

    private static let target = "/apps/:app/notification-targets/:environment"

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/notification-targets", "listNotificationTargets",
            "Where an app's server is notified",
            answers: ["Those of both environments that have one."],
            .now { try NotificationService.targets($0, app: $0["app"]) }
        ),
        Endpoint(
            "PUT", target, "setNotificationTarget", "Set where an app's server is notified",
            about: """
                Of everything that happens from now on, as App Store Connect has a URL for each \
                environment. Notifications still to be delivered go to the new address.
                """,
            example: ["url": "https://example.com/notifications", "version": "V2"],
            answers: ["As it is now."],
            refuses: [
                404:
                    "`appUnknown`, `environmentUnknown`: the app or the environment does not exist.",
                422: """
                `badField`: an address that cannot be called, or one of this machine or network \
                without `allowsPrivateAddresses`.
                """,
            ],
            .later { try await NotificationService.set($0, $1, app: $0["app"]) }
        ),
        Endpoint(
            "DELETE", target, "removeNotificationTarget", "Stop notifying an app's server",
            about: "What is still to be delivered is not.",
            answers: [Answer(204, "Removed, now or before.")],
            refuses: [
                404:
                    "`appUnknown`, `environmentUnknown`: the app or the environment does not exist."
            ],
            .later { call in
                try await NotificationService.remove(call, app: call["app"])
                return HTTPResponse(status: 204, headers: HTTPHeaders(), body: [])
            }
        ),
        Endpoint(
            "PUT", target + "/disorder", "setNotificationDisorder",
            "Spoil the delivery of an app's notifications",
            about: """
                To test its server: it should come to the same state whatever is lost, late, \
                doubled or out of order. An empty body ends it.
                """,
            example: ["duplicated": 20, "reordered": 20, "seed": 7],
            answers: ["As it is now."],
            refuses: [422: "`badField`: a share is not from 0 to 100, or the delay is too long."],
            .later { try await NotificationService.setDisorder($0, $1, app: $0["app"]) }
        ),
        Endpoint(
            "POST", target + "/test", "testNotification", "Send a test notification",
            about: "As *Request a Test Notification* does.",
            answers: ["The notification, on its way."],
            .later { try await NotificationService.test($0, app: $0["app"]) }
        ),
        Endpoint(
            "POST", target + "/notifications", "sendNotification",
            "Send a notification of a service that the store does not have",
            about: """
                To try the app's server with it; nothing else in the store changes. It has version 2 \
                whatever the address takes.
                """,
            example: ["notificationType": "EXTERNAL_PURCHASE_TOKEN", "subtype": "CREATED"],
            answers: ["The notification, on its way."],
            refuses: [
                404: """
                `appUnknown`, `environmentUnknown`, `notificationTargetUnknown`; `transactionUnknown`, \
                `accountUnknown`, `appTransactionUnknown`: the app has no such transaction or customer \
                in the environment.
                """,
                422: """
                `badField`: a member that the type needs is absent or one that it does not take is \
                there, the purchase is no subscription, or the token is of the other environment.
                """,
            ],
            .later { try await ServiceNotices.send($0, $1, app: $0["app"]) }
        ),
        Endpoint(
            "GET", "/notifications", "listNotifications",
            "The notifications of apps' servers, the newest first",
            takes: [
                .after,
                Parameter(
                    .query, "app", "Only those of this app.", schema: "BundleID",
                    example: "com.example.rocketcar"),
            ],
            answers: ["A page of them."],
            refuses: [400: .badAfter, 404: "`appUnknown`: the world has no such app."],
            .now(NotificationService.list)
        ),
        Endpoint(
            "POST", "/notifications/settle", "settleNotifications",
            "Wait until all notifications that are due were attempted",
            about: """
                Answers after \(Limits.advanceAnswerMilliseconds / 1_000) seconds at the latest. \
                Retries that are due later wait for the world's clock.
                """,
            answers: ["How many are still to be delivered."],
            .later(NotificationService.settle)
        ),
        Endpoint(
            "GET", "/notifications/:notification", "getNotification",
            "A notification, with what is sent of it",
            answers: ["As it is now."],
            refuses: [404: "`notificationUnknown`: the world has none with that number."],
            .now { try NotificationService.show($0, $0["notification"]) }
        ),
        Endpoint(
            "POST", "/notifications/:notification/resend", "resendNotification",
            "Send a notification once more",
            about: "The same bytes, whatever became of earlier attempts.",
            answers: ["The notification, on its way."],
            .later { try await NotificationService.resend($0, $0["notification"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "NotificationNumber": ["type": "string", "pattern": "^[1-9][0-9]{0,17}$"]
    ]

    static let scalars: [Scalar] = [
        .cases(of: NotificationVersion.self, as: "NotificationVersion"),
        .cases(of: ServiceNotice.self, as: "ServiceNotice"),
        .cases(of: ServiceNotice.Subtype.self, as: "ExternalPurchaseTokenSubtype"),
    ]
}

extension SetNotificationTargetBody: Described {
    package static let notes: Notes = [
        "url": [
            "description": """
            An address with TLS, at port 443 or from 1024 up; with `allowsPrivateAddresses` also \
            one of plain HTTP, at port 80 or from 1024 up.
            """, "maxLength": .integer(Limits.notificationAddressBytesMax),
        ],
        "version": "`V2` when absent.",
        "allowsPrivateAddresses": """
        Whether the address may be one of this machine or network; false when absent.
        """,
        "sharedSecret": """
        One of the app's, which notifications of version 1 carry as `password`; no answer shows \
        it. The earlier one stays when absent.
        """,
        "certificateAuthority": [
            "description": "Certificates (PEM) that are trusted instead of the system's.",
            "maxLength": .integer(Limits.certificateAuthorityBytesMax),
        ],
    ]
}

extension NotificationTargetBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "allowsPrivateAddresses": false, "bundleId": "com.example.rocketcar",
                "environment": "sandbox", "url": "https://example.com/notifications",
                "version": "V2", "waiting": 0,
            ]
        ],
        "waiting": ["minimum": 0, "description": "Notifications that are still to be delivered."],
    ]
}

extension NotificationTargetsBody: Described {
    package static let notes: Notes = ["": ["example": ["targets": []]]]
}

extension NotificationDisorderBody: Described {
    private static let share: JSONValue = ["minimum": 0, "maximum": 100]

    package static let notes: Notes = [
        "": ["description": "Shares are in percent of the notifications; 0 when absent."],
        "seed": "The same seed spoils the same notifications; 0 when absent.",
        "dropped": [
            "minimum": 0, "maximum": 100,
            "description": "Attempts that are never sent, as if the network had lost them.",
        ],
        "duplicated": ["minimum": 0, "maximum": 100, "description": "Those that arrive twice."],
        "reordered": [
            "minimum": 0, "maximum": 100,
            "description": "Those that wait until a later one of the app was attempted.",
        ],
        "delayed": [
            "minimum": 0, "maximum": 100,
            "description": "Those that wait for up to `delayMilliseconds` of the world's time.",
        ],
        "delayMilliseconds": [
            "minimum": 0, "maximum": .integer(Limits.notificationDelayMillisecondsMax),
        ],
    ]
}

extension SendNotificationBody: Described {
    package static let notes: Notes = [
        "subtype": "Of `EXTERNAL_PURCHASE_TOKEN`, which needs one.",
        "transactionId": [
            "type": "string", "pattern": "^[1-9][0-9]{0,17}$",
            "description": """
            Any of a subscription, which `METADATA_UPDATE`, `MIGRATION` and `PRICE_CHANGE` need.
            """,
        ],
        "account": .component("AccountName"),
        "externalPurchaseId": [
            "minLength": 1, "maxLength": .integer(Limits.externalPurchaseIDBytesMax),
            "description": "A token that was reported before; a new one when absent.",
        ],
        "tokenCreationDate": "When that token was made; now when absent.",
    ]
}

extension NotificationBody: Described {
    package static let notes: Notes = [
        "": [
            "description": "Dates are by the world's clock.",
            "example": [
                "bundleId": "com.example.rocketcar", "environment": "sandbox",
                "notificationType": "TEST",
                "notificationUUID": "0b7ba2b1-8e2f-4b0e-9f1c-3f4f5a6b7c8d", "number": 1,
                "sendAttempts": [
                    [
                        "attemptDate": 1_714_558_830_123, "sendAttemptResult": "SUCCESS",
                    ]
                ], "signedDate": 1_714_558_830_123, "version": "V2",
            ],
        ],
        "number": ["minimum": 1],
        "originalTransactionId": .component("TransactionID"),
        "account": "The customer's account; absent for one that is about none.",
        "dueDate": "When the next attempt is due; absent when none is to come.",
    ]
}

extension SendAttemptBody: Described {
    package static let notes: Notes = [
        "attemptDate": "When the attempt was due.",
        "sendAttemptResult": [
            "enum": .array(SendAttemptResult.allCases.map { .string($0.rawValue) })
        ],
    ]
}

extension NotificationsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["notifications": []]],
        "notifications": ["maxItems": .integer(Limits.notificationsPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension SettledNotificationsBody: Described {
    package static let notes: Notes = [
        "due": ["minimum": 0, "description": "Those that are due and were not attempted."],
        "later": ["minimum": 0, "description": "Those whose next attempt is due later."],
    ]
}

extension SentNotificationBody: Described {
    package static let notes: Notes = [
        "body": "The body of the request that delivers it, as text; absent until it is signed."
    ]
}
