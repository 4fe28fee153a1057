import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

/// The devices as the world's owner sees them.
enum InstallationEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(.path, "device", "Its number.", schema: "DeviceNumber", example: "1")
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/devices", "listDevices",
            "The installations of apps, in the order of their registrations",
            about: """
                With filters a page may have fewer devices than it could, and none at all, while \
                `next` says that the list continues: \(Limits.rowsLookedAtMax) are looked at for \
                it. `account` names who signed in on a device, now or before. Devices that nobody \
                used disappear after a day.
                """,
            takes: [
                .after, .limit(Limits.devicesPerAnswerMax, countMax: Limits.devicesPerAnswerMax),
                .order, .ofAccount, .ofEnvironment, .ofApp,
            ], answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is not a whole number from 0 up, `limit` not a number from 1 \
                to \(Limits.devicesPerAnswerMax), or `order` or `environment` is unknown.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. `appUnknown`: the \
                world has no such app.
                """,
            ],
            .now(InstallationService.list)
        ),
        Endpoint(
            "POST", "/devices", "makeDevice",
            "Register an installation on which an account is signed in",
            about: """
                By the owner's authority, without a password: what a device gets from \
                `POST /device/v1/register` and `POST /device/v1/sign-in`. An installation that is \
                known keeps its number, and any other account is signed out on it. A repeated \
                request makes another token.
                """,
            example: [
                "account": "buyer@example.com", "appVersion": "1.0",
                "bundleId": "com.example.rocketcar",
                "guid": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
            ],
            answers: [Answer(201, "Signed in.")],
            refuses: [
                404: """
                `accountUnknown`: the environment has no account of that name. `appUnknown`: no \
                catalogue of that app has been imported.
                """,
                422: .badField,
                423: "`accountLocked`: the owner has locked the account.",
            ],
            .later(InstallationService.make)
        ),
        Endpoint(
            "GET", "/devices/:device", "getDevice",
            "A device and what it tried to buy, the newest attempt first",
            takes: [
                Parameter(
                    .query, "after", "The `next` of the previous page; the newest when absent.",
                    schema: "Identifier"),
                .limit(Limits.devicesPerAnswerMax, countMax: Limits.devicesPerAnswerMax),
            ],
            answers: ["As it is now, with a page of its attempts."],
            refuses: [
                400: """
                `badQuery`: `after` is not an attempt of the device, or `limit` is not a number \
                from 1 to \(Limits.devicesPerAnswerMax).
                """, 404: "`deviceUnknown`: the world has none with that number.",
            ],
            .now { try InstallationService.show($0, $0["device"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "DeviceNumber": ["type": "string", "pattern": "^[1-9][0-9]{0,17}$"]
    ]
}

extension MakeDeviceBody: Described {
    package static let notes: Notes = [
        "guid": .component(
            "UUID", "The device's own identifier, which also goes into its receipts."),
        "environment": "`sandbox` when absent.",
        "account": .component("AccountName"),
        "bundleId": .component("BundleID"),
        "appVersion": [
            "description": "The app's `CFBundleVersion`, without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
            "maxLength": .integer(Limits.appVersionBytesMax),
        ],
    ]
}

extension DeviceBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "accounts": ["buyer@example.com"], "appVersion": "1.0",
                "bundleId": "com.example.rocketcar", "deviceId": 1, "environment": "sandbox",
                "guid": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                "registeredAt": 1_714_558_830_123,
            ]
        ],
        "deviceId": ["minimum": 1, "description": "Its number in the world."],
        "guid": ["format": "uuid"],
        "lockedUntil": """
        Until when wrong passwords lock it, by the real clock; absent while it is not locked.
        """,
        "accounts": "Those that are signed in on it.",
    ]
}

extension DevicesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["devices": []]],
        "devices": ["maxItems": .integer(Limits.devicesPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension DeviceAttemptBody: Described {
    package static let notes: Notes = [
        "productId": "Absent for an attempt that was refused at once.",
        "transactionId": .component("TransactionID"),
        "missingMilliunits": [
            "minimum": 1, "description": "What the account lacked, when it was refused for that.",
        ],
        "currency": ["pattern": "^[A-Z]{3}$"],
        "changedAt": "When it got its present state.",
    ]
}

extension DeviceDetailsBody: Described {
    package static let notes: Notes = [
        "attempts": ["maxItems": .integer(Limits.devicesPerAnswerMax)],
        "next": "Where the next page of attempts continues; absent on the last.",
    ]
}
