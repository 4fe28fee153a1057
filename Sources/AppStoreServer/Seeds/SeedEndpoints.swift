import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// A world as a seed, which is read part by part and has no type of its own.
enum SeedEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/seed", "exportSeed", "The world as a seed, which makes a world like it",
            about: """
                All that a seed can say. Passwords and shared secrets are not in it, since the store \
                has only their digests. Purchases of accounts that need an approval, or whose \
                purchases are interrupted, are left out, and a subscription is told by its state.
                """,
            answers: [Answer(200, "A seed.", .schema("Seed"))],
            refuses: [409: "`worldTooLarge`: a seed cannot hold that much."],
            .slow { call in
                let time = call.world.time
                let seed = try call.world.database.read {
                    try SeedExport.seed(of: $0, now: time.now(), realNow: time.real())
                }
                return HTTPResponse.json(seed)
            }
        )
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "Seed": [
            "type": "object",
            "description": """
            Unknown names are refused; `docs/worlds.md` explains each one.
            """, "additionalProperties": false,
            "properties": [
                "$schema": [
                    "type": ["string", "null"],
                    "description": "Where editors find the schema of this file; ignored.",
                ],
                "clock": ["anyOf": [.component("SeedClock"), ["type": "null"]]],
                "pace": [
                    "description": "How fast subscriptions renew in the sandbox.",
                    "anyOf": [.component("Pace"), ["type": "null"]],
                ],
                "transactionNumberStart": [
                    "type": ["integer", "null"], "format": "int64",
                    "description": "In the range of the sandbox's numbers.",
                    "minimum": 2_000_000_000_000_000,
                    "maximum": 3_999_999_999_999_999,
                ],
                "apps": [
                    "type": ["array", "null"], "maxItems": .integer(WorldSeed.appsMax),
                    "items": .component("SeedApp"),
                ],
                "accounts": [
                    "type": ["array", "null"],
                    "description": "With at most \(WorldSeed.passwordsMax) different passwords.",
                    "maxItems": .integer(WorldSeed.accountsMax), "items": .component("SeedAccount"),
                ],
                "appTransactions": [
                    "type": ["array", "null"], "maxItems": .integer(WorldSeed.accountsMax),
                    "items": .component("SeedAppTransaction"),
                ],
                "families": [
                    "type": ["array", "null"],
                    "description": """
                    Made before any purchase, so that every shareable one is shared.
                    """, "maxItems": .integer(WorldSeed.accountsMax),
                    "items": .component("SeedFamily"),
                ],
                "purchases": [
                    "type": ["array", "null"], "description": "In the order of their times.",
                    "maxItems": .integer(WorldSeed.purchasesMax),
                    "items": .component("SeedPurchase"),
                ],
                "subscriptions": [
                    "type": ["array", "null"],
                    "description": "By the state that they are in at the world's time.",
                    "maxItems": .integer(WorldSeed.subscriptionsMax),
                    "items": .component("SeedSubscription"),
                ],
            ],
        ],
        "SeedTime": [
            "type": "string",
            "description": "From 2000 to 2099, as `2026-03-31` or `2026-03-31T12:00:00Z`.",
        ],
        "SeedClock": [
            "type": "object", "description": "A held clock needs a time.",
            "additionalProperties": false, "required": ["mode"],
            "properties": [
                "mode": ["enum": ["held", "real"]],
                "now": ["anyOf": [.component("SeedTime"), ["type": "null"]]],
            ],
        ],
        "SeedApp": [
            "type": "object", "additionalProperties": false, "required": ["bundleId", "catalogue"],
            "properties": [
                "bundleId": .component("BundleID"),
                "catalogue": [
                    "description": "A StoreKit configuration file, or its text.",
                    "anyOf": [.component("CatalogueFile"), ["type": "string"]],
                ],
                "gracePeriodDays": [
                    "description":
                        "The grace period for unpaid subscriptions; none when absent.",
                    "enum": .array(
                        GracePeriod.allCases.map { .integer($0.rawValue) } + [.null]),
                ],
                "sharedSecret": [
                    "type": ["string", "null"],
                    "description":
                        "Accepted as the `password` of `verifyReceipt`; none when absent.",
                    "pattern": "^[0-9a-f]{32}$",
                ],
                "prices": [
                    "type": ["array", "null"], "description": "Storefronts' own prices.",
                    "maxItems": .integer(WorldSeed.pricesMax), "items": .component("SeedPrice"),
                ],
            ],
        ],
        "SeedPrice": [
            "type": "object", "additionalProperties": false,
            "required": ["productId", "storefront"],
            "properties": [
                "productId": .component("Identifier"), "storefront": .component("StorefrontCode"),
                "price": [
                    "type": ["string", "null"],
                    "description": """
                    In the storefront's currency, such as `0.99`; null with `from` ends the \
                    storefront's own price.
                    """,
                ],
                "from": [
                    "description": "After the world's time; from the beginning when absent.",
                    "anyOf": [.component("SeedTime"), ["type": "null"]],
                ],
            ],
        ],
        "SeedAccount": [
            "type": "object", "additionalProperties": false, "required": ["name"],
            "properties": [
                "name": .component("AccountName"),
                "password": [
                    "description": "Without one, nobody signs in by password until it is set.",
                    "anyOf": [.component("Password"), ["type": "null"]],
                ],
                "storefront": [
                    "description": "USA when absent.",
                    "anyOf": [.component("StorefrontCode"), ["type": "null"]],
                ],
                "environment": [
                    "description": "`sandbox` when absent. Real accounts buy nothing in a seed.",
                    "enum": ["sandbox", "production", .null],
                ],
                "needsApproval": [
                    "type": ["boolean", "null"],
                    "description": """
                    Whether someone else must approve its purchases; false when absent. A purchase \
                    of the seed that waits cannot be finished.
                    """,
                ],
                "interruptsPurchases": [
                    "type": ["boolean", "null"],
                    "description": "Whether its purchases are interrupted; false when absent.",
                ],
                "failsRenewals": [
                    "type": ["boolean", "null"],
                    "description": """
                    Whether its renewals fail, from the world's time on; false when absent.
                    """,
                ],
                "credit": [
                    "type": ["string", "null"],
                    "description":
                        "In its storefront's currency, such as `25.00`; none when absent.",
                ],
            ],
        ],
        "SeedAppTransaction": [
            "type": "object",
            "description": """
            When, with which version and how a real account of the seed got one of its apps.
            """,
            "additionalProperties": false,
            "required": ["account", "originalPurchaseDate", "originalApplicationVersion"],
            "properties": [
                "account": .component("AccountName"),
                "bundleId": [
                    "description": "The only app when absent.",
                    "anyOf": [.component("BundleID"), ["type": "null"]],
                ], "originalPurchaseDate": .component("SeedTime"),
                "originalApplicationVersion": [
                    "type": "string", "minLength": 1,
                    "maxLength": .integer(Limits.appVersionBytesMax),
                ],
                "originalPlatform": [
                    "description": "`iOS` when absent.",
                    "anyOf": [.component("Platform"), ["type": "null"]],
                ],
                "isVolumePurchase": [
                    "type": ["boolean", "null"], "description": "False when absent.",
                ],
            ],
        ],
        "SeedFamily": [
            "type": "object",
            "description": "Families of the seed's accounts; each account is in at most one.",
            "additionalProperties": false, "required": ["organiser"],
            "properties": [
                "organiser": .component("AccountName"),
                "members": [
                    "type": ["array", "null"], "description": "The others.",
                    "maxItems": .integer(FamilyRules.membersMax - 1),
                    "items": .component("AccountName"),
                ],
            ],
        ],
        "SeedPurchase": [
            "type": "object",
            "description": "A purchase by an account of the seed, of a product of one of its apps.",
            "additionalProperties": false, "required": ["account", "productId", "at"],
            "properties": [
                "account": .component("AccountName"),
                "bundleId": [
                    "description": "The only app when absent.",
                    "anyOf": [.component("BundleID"), ["type": "null"]],
                ], "productId": .component("Identifier"),
                "quantity": [
                    "type": ["integer", "null"], "minimum": 1,
                    "maximum": .integer(PurchaseRules.quantityMax),
                ], "at": .component("SeedTime"),
                "finished": ["type": ["boolean", "null"], "description": "True when absent."],
                "device": ["anyOf": [.component("UUID"), ["type": "null"]]],
                "applicationUsername": [
                    "type": ["string", "null"], "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
                    "maxLength": .integer(Limits.identifierBytesMax),
                ],
                "autoRenews": [
                    "type": ["boolean", "null"],
                    "description": "For a subscription: whether renewal is on afterwards.",
                ],
                "failsBilling": [
                    "type": ["boolean", "null"],
                    "description": "For a subscription: whether its payments fail afterwards.",
                ],
                "refunded": [
                    "type": ["boolean", "null"],
                    "description": "Whether the payment is given back at once; false when absent.",
                ],
            ],
        ],
        "SeedSubscription": [
            "type": "object",
            "description": """
            An account of the seed subscribes, so that its subscription is in that state at the \
            world's time by the usual rules.
            """,
            "additionalProperties": false, "required": ["account", "state"],
            "properties": [
                "account": .component("AccountName"),
                "bundleId": [
                    "description": "The only app when absent.",
                    "anyOf": [.component("BundleID"), ["type": "null"]],
                ],
                "productId": [
                    "description": "The first subscription that fits when absent.",
                    "anyOf": [.component("Identifier"), ["type": "null"]],
                ],
                "state": [
                    "enum": .array(SubscriptionGoal.allCases.map { .string($0.rawValue) })
                ],
            ],
        ],
    ]
}
