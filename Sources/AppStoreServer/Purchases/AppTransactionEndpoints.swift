import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum AppTransactionEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/app-transaction", "getAppTransaction",
            "When, with which version and how an account got an app",
            takes: .oneAccount(example: .production),
            answers: ["As it is now."],
            refuses: [
                400: """
                `badQuery`: `account` is missing, or `environment` is neither `sandbox` nor \
                `production`.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. \
                `appTransactionUnknown`: it never had the app on a device. `appUnknown`,
                """,
            ],
            .now { try AppTransactionService.show($0, app: $0["app"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/app-transaction", "setAppTransaction",
            "Set when, with which version and how an account got an app",
            about: """
                In production only. An absent member stays as it is. An account that never had the \
                app on a device gets it, with the version. The next receipt shows it.
                """,
            example: [
                "environment": "production", "name": "customer@example.com",
                "originalApplicationVersion": "1.2", "originalPurchaseDate": 1_577_836_800_000,
            ],
            answers: ["As it is now."],
            refuses: [
                404: """
                `accountUnknown`: the environment has no account of that name. \
                `appTransactionUnknown`: it never had the app on a device, and no version is given. \
                `appUnknown`,
                """, 422: .badField,
            ],
            .later { try await AppTransactionService.set($0, $1, app: $0["app"]) }
        ),
    ]

    static let scalars: [Scalar] = [
        .cases(of: AppTransaction.Platform.self, as: "Platform")
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "AppNumber": [
            "type": "integer", "format": "int64",
            "description": "The number of an app in the App Store.",
            "minimum": .integer(AppNumber.range.lowerBound),
            "maximum": .integer(AppNumber.range.upperBound),
        ]
    ]
}

extension AppTransactionBody: Described {
    package static let notes: Notes = [
        "appAppleId": .component("AppNumber"),
        "appTransactionId": [
            "description": "In receipts of production, `download_id`.", "pattern": "^[0-9]+$",
        ],
        "originalPurchaseDate": "By the world's clock.",
        "isVolumePurchase": "Whether an organisation bought it in volume.",
    ]
}

extension SetAppTransactionBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent, which has Apple's constants.",
        "name": .component("AccountName"),
        "originalPurchaseDate": "Not after the world's time.",
        "originalApplicationVersion": [
            "minLength": 1, "maxLength": .integer(Limits.appVersionBytesMax),
        ],
        "isVolumePurchase": "Whether an organisation bought it in volume.",
    ]
}

extension AppNumberBody: Described {
    package static var schemaName: String? { "SetAppNumber" }
    package static let notes: Notes = ["appAppleId": .component("AppNumber")]
}
