import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ShopEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/shop", "getShop", "The world's settings as a shop",
            answers: ["The settings."],
            .now(ShopService.show)
        ),
        Endpoint(
            "PUT", "/shop", "setShop", "Change the world's settings as a shop",
            body: RequestBody(
                .schema("SetShop"),
                example: ["delayMilliseconds": 3_600_000, "newProducts": "waitForReview"],
                description: "A null or absent member leaves its setting as it is."),
            answers: ["The settings as they are now."],
            refuses: [
                422: """
                `badField`: a delay is 0 to \(PropagationRules.delayMillisecondsMax) \
                milliseconds.
                """
            ],
            .later(ShopService.set)
        ),
        Endpoint(
            "GET", "/apps", "listApps", "Every app of the world",
            answers: ["The apps."],
            .now(ShopService.apps)
        ),
        Endpoint(
            "PUT", "/apps/:app/delay", "setDelay",
            "Set how long changes of an app's catalogue take to reach devices",
            body: RequestBody(
                example: ["milliseconds": 0],
                description: "Null, or absent, applies the world's delay again."),
            answers: ["The app as it is now."],
            refuses: [
                422: """
                `badField`: a delay is 0 to \(PropagationRules.delayMillisecondsMax) \
                milliseconds.
                """
            ],
            .later { try await ShopService.setDelay($0, $1, app: $0["app"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/number", "setAppNumber", "Set an app's number in the App Store",
            about: "Receipts of production show it from then on.",
            example: ["appAppleId": 1_588_941_280],
            answers: ["The app as it is now."],
            refuses: [
                409: "`appNumberTaken`: another app of the world has it.", 422: .badField,
            ],
            .later { try await ShopService.setNumber($0, $1, app: $0["app"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/developer", "setDeveloper", "Give an app to a developer account",
            example: ["developer": "default"],
            answers: ["The app as it is now."],
            refuses: [
                404: """
                `appUnknown`, `developerUnknown`: the app or the developer account does not exist.
                """
            ],
            .later { try await ShopService.setDeveloper($0, $1, app: $0["app"]) }
        ),
        Endpoint(
            "GET", "/developers", "listDevelopers", "Every developer account of the world",
            answers: ["The developer accounts."],
            .now(DeveloperService.list)
        ),
        Endpoint(
            "POST", "/developers", "makeDeveloper", "Make a developer account",
            body: RequestBody(.schema("MakeDeveloper"), example: ["name": "rockets"]),
            answers: [Answer(201, "Made.")],
            refuses: [
                409: """
                `nameTaken`: a developer account already has that name. `tooManyDevelopers`: the \
                world has \(Limits.developersMax).
                """, 422: .badField,
            ],
            .later(DeveloperService.add)
        ),
    ]

    static let scalars: [Scalar] = [
        .cases(
            of: ShopBody.NewProducts.self, as: "NewProducts",
            "What happens to products that an import adds.")
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "MakeDeveloper": [
            "type": "object", "required": ["name"],
            "properties": ["name": .component("DeveloperName")],
        ],
        "Delay": [
            "type": "integer", "format": "int64",
            "description": "How long a change takes to reach devices, by the world's clock.",
            "minimum": 0, "maximum": .integer(PropagationRules.delayMillisecondsMax),
        ],
        "SetShop": [
            "type": "object",
            "properties": [
                "newProducts": ["anyOf": [.component("NewProducts"), ["type": "null"]]],
                "delayMilliseconds": ["anyOf": [.component("Delay"), ["type": "null"]]],
            ],
        ],
        "DeveloperName": [
            "type": "string", "description": "Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
            "maxLength": .integer(Limits.accountNameBytesMax),
        ],
    ]
}

extension ShopBody: Described {
    package static let notes: Notes = [
        "": [
            "required": ["newProducts", "delayMilliseconds"],
            "example": ["delayMilliseconds": 0, "newProducts": "clearedForSale"],
        ],
        "delayMilliseconds": .component("Delay"),
    ]
}

extension DelayBody: Described {
    package static var schemaName: String? { "SetDelay" }
    package static let notes: Notes = [
        "milliseconds": .component("Delay")
    ]
}

extension AppBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "appAppleId": 1_588_941_280, "bundleId": "com.example.rocketcar",
                "developer": "default", "storefront": "USA",
            ]
        ],
        "appAppleId": .component("AppNumber"),
        "developer": "The developer account that owns the app.",
        "storefront": .component(
            "StorefrontCode", "The storefront of customers who are not signed in."),
        "delayMilliseconds": .component("Delay", "Absent when the world's delay applies."),
        "gracePeriodDays": [
            "description": """
            The grace period of its unpaid subscriptions; absent when there is none.
            """, "enum": [3, 16, 28],
        ],
    ]
}

extension AppDeveloperBody: Described {
    package static var schemaName: String? { "SetDeveloper" }
    package static let notes: Notes = [
        "developer": .component("DeveloperName")
    ]
}

extension DevelopersBody: Described {
    package static let notes: Notes = [
        "developers": ["maxItems": .integer(Limits.developersMax)]
    ]
}
