import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum SecretEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(.path, "number", schema: "SecretNumber", example: 1)
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/developers/:developer/secrets", "listDeveloperSecrets",
            "The shared secrets of a developer account, newest first",
            answers: [
                """
                The newest \(Limits.secretsPerAnswerMax), without the secrets themselves.
                """
            ],
            .now { try SecretService.list($0, of: .developer($0["developer"])) }
        ),
        Endpoint(
            "POST", "/developers/:developer/secrets", "makeDeveloperSecret",
            "Make a developer account a new shared secret",
            about: "Earlier ones stay accepted for the overlap, by the real clock.",
            body: RequestBody(example: ["overlapMilliseconds": 86_400_000], isRequired: false),
            answers: [
                Answer(201, "Made. No other answer ever shows it.")
            ],
            refuses: [
                409: """
                `tooManySecrets`: \(SecretRules.acceptedMax) are accepted already. \
                `tooManySecretsKept`: the owner has \(Limits.secretsKeptMax), including ended \
                ones.
                """, 422: .badField,
            ],
            .later { try await SecretService.make($0, $1, of: .developer($0["developer"])) }
        ),
        Endpoint(
            "DELETE", "/developers/:developer/secrets/:number", "revokeDeveloperSecret",
            "Revoke a shared secret of a developer account for good",
            answers: ["Revoked, now or before."],
            refuses: [
                404: """
                `developerUnknown`, `secretUnknown`: the developer account or the secret does not \
                exist.
                """
            ],
            .later {
                try await SecretService.revoke(
                    $0, of: .developer($0["developer"]), number: $0["number"])
            }
        ),
        Endpoint(
            "GET", "/apps/:app/secrets", "listAppSecrets",
            "The shared secrets of an app, newest first",
            answers: [
                """
                The newest \(Limits.secretsPerAnswerMax), without the secrets themselves.
                """
            ],
            .now { try SecretService.list($0, of: .app($0["app"])) }
        ),
        Endpoint(
            "POST", "/apps/:app/secrets", "makeAppSecret", "Make an app a new shared secret",
            about: "Earlier ones stay accepted for the overlap, by the real clock.",
            body: RequestBody(example: ["overlapMilliseconds": 86_400_000], isRequired: false),
            answers: [
                Answer(201, "Made. No other answer ever shows it.")
            ],
            refuses: [
                409: """
                `tooManySecrets`: \(SecretRules.acceptedMax) are accepted already. \
                `tooManySecretsKept`: the owner has \(Limits.secretsKeptMax), including ended \
                ones.
                """, 422: .badField,
            ],
            .later { try await SecretService.make($0, $1, of: .app($0["app"])) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/secrets/:number", "revokeAppSecret",
            "Revoke a shared secret of an app for good",
            answers: ["Revoked, now or before."],
            refuses: [404: "`appUnknown`, `secretUnknown`: the app or the secret does not exist."],
            .later { try await SecretService.revoke($0, of: .app($0["app"]), number: $0["number"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "SecretNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ]
    ]
}

extension MakeSecretBody: Described {
    package static let notes: Notes = [
        "overlapMilliseconds": [
            "description": """
            How long earlier ones stay accepted; \(SecretRules.overlapMillisecondsUsual) when \
            absent.
            """, "minimum": 0, "maximum": .integer(SecretRules.overlapMillisecondsMax),
        ]
    ]
}

extension MadeSecretBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "madeAt": 1_714_558_830_123, "number": 1,
                "secret": "00112233445566778899aabbccddeeff",
            ]
        ],
        "number": ["minimum": 1],
        "secret": ["pattern": "^[0-9a-f]{32}$"],
    ]
}

extension SecretBody: Described {
    package static let notes: Notes = [
        "": [
            "description": "Its times are by the real clock.",
            "example": [
                "acceptedUntil": 1_714_645_230_123, "madeAt": 1_714_558_830_123, "number": 1,
                "state": "ending",
            ],
        ],
        "number": ["minimum": 1],
        "state": "`ending`: replaced, but still accepted for a while. `ended`: no longer accepted.",
        "acceptedUntil": "When a replaced one ends.",
    ]
}

extension SecretsBody: Described {
    package static let notes: Notes = [
        "secrets": ["maxItems": .integer(Limits.secretsPerAnswerMax)]
    ]
}
