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
    ]
}

extension MakeWorldBody: Described {
    package static let notes: Notes = [
        "name": .component("WorldName"),
        "sandboxName": """
        What transactions and everything else signed there call its sandbox; `Sandbox` when absent.
        """,
    ]
}

extension WorldBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "id": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "isSession": true, "name": "one",
                "path": "/t/one", "sandboxName": "Sandbox",
            ]
        ],
        "name": .component("WorldName"),
        "id": .component("UUID", "The identifier in its receipts."),
        "path": "The prefix of its addresses; empty for the default world.",
        "sandboxName": "What everything signed there calls its sandbox.",
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
                "path": "/t/one", "products": 4, "sandboxName": "Sandbox", "transactions": 2,
            ]
        ],
        "name": .component("WorldName"),
        "id": .component("UUID", "Changes with each restore and reset."),
        "sandboxName": "What everything signed there calls its sandbox.",
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
