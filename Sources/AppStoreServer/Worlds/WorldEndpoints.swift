import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum WorldEndpoints: StoreEndpoints {
    static let root: [Endpoint<StoreHandler>] = [
        Endpoint(
            "GET", "/control/v1/worlds", "listWorlds", "Every world, the default one first",
            answers: ["The worlds."],
            .now(WorldService.list)
        ),
        Endpoint(
            "POST", "/control/v1/worlds", "makeWorld", "Make a test session",
            about: "The first session takes a second or two, for its keys.",
            body: RequestBody(
                example: ["name": "one"],
                description: "Without a body or a name, the store chooses a name.",
                isRequired: false),
            answers: [Answer(201, "Made.")],
            refuses: [
                409: """
                `worldExists`: the name is taken. `tooManyWorlds`: there are \
                \(Limits.sessionsMax) already.
                """, 422: "`badName`: a world cannot have that name.",
            ],
            .slow(WorldService.make)
        ),
        Endpoint(
            "GET", "/control/v1/worlds/:name", "getWorld", "A world, and how much is in it",
            answers: ["The world."],
            .slow(WorldService.details)
        ),
        Endpoint(
            "PUT", "/control/v1/worlds/:name", "seedWorld", "Make a world from a seed",
            about: """
                A world is made whole or not at all. When it replaces an existing world, it has a \
                new identifier.
                """,
            takes: [
                Parameter(
                    .query, "replace",
                    """
                    Whether it may replace an existing world; `false` when absent.
                    """, schema: ["enum": ["true", "false"]], example: "true")
            ],
            body: RequestBody(
                .schema("Seed"),
                example: [
                    "accounts": [
                        [
                            "name": "buyer@example.com", "password": "rocket-fuel-1",
                            "storefront": "DEU",
                        ]
                    ], "clock": ["mode": "held", "now": "2026-03-31T12:00:00Z"],
                ], bytesMax: Limits.seedBodyMax),
            answers: [Answer(201, "Made.", .json(WorldDetailsBody.self))],
            refuses: [
                400: "`badQuery`: `replace` is neither true nor false.",
                404: .whole("`notFound`: nothing is at this path."),
                409: """
                `worldExists`: the name is taken, and `replace` is not true. \
                `tooManyWorlds`: there are \(Limits.sessionsMax) already.
                """,
                422: """
                `badSeed`: the message says what is wrong with the seed, and where. `badName`: a \
                world cannot have that name.
                """,
            ],
            .slow(WorldService.seed)
        ),
        Endpoint(
            "DELETE", "/control/v1/worlds/:name", "deleteWorld",
            "Delete a test session with all its data",
            answers: [Answer(204, "Deleted.")],
            refuses: [409: "`worldIsDefault`: the default world cannot be deleted."],
            .now(WorldService.delete)
        ),
        Endpoint(
            "GET", "/control/v1/worlds/:name/snapshots", "listSnapshots", "A world's snapshots",
            answers: ["The snapshots."],
            .slow(WorldService.snapshots)
        ),
        Endpoint(
            "POST", "/control/v1/worlds/:name/snapshots", "makeSnapshot",
            "Take a snapshot of a world",
            about: "The world keeps running meanwhile.",
            body: RequestBody(
                example: ["name": "before"],
                description: "Without a body or a name, the store chooses a name.",
                isRequired: false),
            answers: [Answer(201, "Kept.")],
            refuses: [
                409: """
                `snapshotExists`: the name is taken. `tooManySnapshots`: the world has \
                \(Limits.snapshotsMax) already.
                """, 422: "`badName`: a snapshot cannot have that name.",
            ],
            .slow(WorldService.snapshot)
        ),
        Endpoint(
            "DELETE", "/control/v1/worlds/:name/snapshots/:snapshot", "deleteSnapshot",
            "Delete a snapshot",
            takes: [Parameter(.path, "snapshot", schema: "SnapshotName", example: "before")],
            answers: [Answer(204, "Deleted.")],
            refuses: [404: "`snapshotUnknown`: the world has no snapshot with that name."],
            .slow(WorldService.deleteSnapshot)
        ),
        Endpoint(
            "POST", "/control/v1/worlds/:name/restore", "restoreWorld",
            "Restore a world from its snapshot",
            about: """
                The world gets a new identifier, and devices register again; transaction numbers \
                continue.
                """,
            example: ["snapshot": "before"],
            answers: ["Restored."],
            refuses: [
                404: "`snapshotUnknown`: the world has no snapshot with that name.",
                409: "`snapshotDamaged`: it cannot be read; the world stays as it is.",
            ],
            .slow(WorldService.restore)
        ),
        Endpoint(
            "POST", "/control/v1/worlds/:name/reset", "resetWorld", "Empty a world",
            about: """
                The world gets a new identifier, and devices register again; transaction numbers \
                continue.
                """,
            example: ["keepCatalogue": true],
            answers: ["Emptied."],
            .slow(WorldService.reset)
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "WorldName": [
            "type": "string", "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", "minLength": 1,
            "maxLength": .integer(WorldName.lengthMax),
        ],
        "SnapshotName": [
            "type": "string", "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", "minLength": 1,
            "maxLength": .integer(WorldName.lengthMax),
        ],
        "Seed": [
            "type": "object",
            "description": """
            Unknown names are refused; `docs/worlds.md` explains each one.
            """, "additionalProperties": false,
            "properties": [
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
            ],
        ],
        "SeedAccount": [
            "type": "object", "additionalProperties": false, "required": ["name", "password"],
            "properties": [
                "name": .component("AccountName"), "password": .component("Password"),
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
            ],
        ],
    ]
}

extension MakeWorldBody: Described {
    package static let notes: Notes = [
        "name": .component("WorldName")
    ]
}

extension WorldBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "id": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "isSession": true, "name": "one",
                "path": "/t/one",
            ]
        ],
        "name": .component("WorldName"),
        "id": .component("UUID", "The identifier in its receipts."),
        "path": "The prefix of its addresses; empty for the default world.",
    ]
}

extension WorldEntryBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "bytes": 4096, "changedAt": 1_714_558_830_123, "isOpen": false, "isSession": true,
                "name": "one", "path": "/t/one", "snapshotCount": 0,
            ]
        ],
        "name": .component("WorldName"),
        "id": .component("UUID", "Absent for a session whose file is not open now."),
        "bytes": [
            "description": "The size of its database, including the log.", "minimum": 0,
        ],
        "changedAt": "By the real clock.",
        "snapshotCount": ["minimum": 0],
    ]
}

extension WorldDetailsBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "accounts": 1, "apps": 1, "devices": 1,
                "id": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "isSession": true, "name": "one",
                "path": "/t/one", "products": 4, "transactions": 2,
            ]
        ],
        "name": .component("WorldName"),
        "id": .component("UUID", "Changes with each restore and reset."),
        "apps": ["minimum": 0],
        "products": ["minimum": 0],
        "accounts": ["minimum": 0],
        "devices": ["minimum": 0],
        "transactions": ["minimum": 0],
    ]
}

extension MakeSnapshotBody: Described {
    package static let notes: Notes = [
        "name": .component("SnapshotName")
    ]
}

extension RestoreWorldBody: Described {
    package static let notes: Notes = [
        "snapshot": .component("SnapshotName")
    ]
}

extension SnapshotBody: Described {
    package static let notes: Notes = [
        "": ["example": ["bytes": 4096, "createdAt": 1_714_558_830_123, "name": "before"]],
        "name": .component("SnapshotName"),
        "bytes": ["minimum": 0],
        "createdAt": "By the real clock.",
    ]
}

extension SnapshotsBody: Described {
    package static let notes: Notes = [
        "snapshots": ["maxItems": .integer(Limits.snapshotsMax)]
    ]
}
