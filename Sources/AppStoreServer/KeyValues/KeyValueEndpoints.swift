import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum KeyValueEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/device/v1/key-values", "getKeyValues",
            "The changes of the account's key-value store; waits for the first one",
            about: """
                Without a revision, or with one that is too old or never existed, the answer has \
                everything.
                """,
            takes: [
                Parameter(
                    .query, "after", "The revision of the last answer; 0 when absent.",
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 0),
                Parameter(
                    .query, "wait",
                    """
                    How many seconds to wait for a change, \(Limits.pollSecondsMax) at most; 0 \
                    when absent.
                    """,
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 0),
            ],
            answers: [
                Answer(
                    200, "The changes. None means that the wait ended.", .json(KeyValuesBody.self))
            ],
            refuses: [400: "`badQuery`: `after` or `wait` is not a whole number from 0 up."],
            .raw { call, responder in KeyValueService.values(call.request, call.context, responder)
            }
        ),
        Endpoint(
            "PUT", "/device/v1/key-values", "changeKeyValues",
            "Change the account's key-value store in this app",
            about: """
                Either all changes are made or none. A repeated request with the same id and \
                changes is carried out once. Of two changes of one key, the later one wins.
                """,
            body: RequestBody(
                .json(ChangeKeyValuesBody.self),
                example: [
                    "requestId": "11111111-2222-4333-8444-555555555555", "after": 0,
                    "isInitial": false,
                    "changes": [["key": "turbo", "value": ["boolean": true]], ["key": "old"]],
                ], bytesMax: Limits.keyValuesBodyMax),
            answers: [
                Answer(
                    200, "The changes since the revision, including these.",
                    .json(KeyValuesBody.self)
                )
            ],
            refuses: [
                409: """
                `keyValuesFull`: the store would have more than \(KeyValueLimits.keysMax) keys or \
                \(KeyValueLimits.bytesMax) bytes. `requestIdReused`: the id was used with other \
                changes or another account.
                """, 422: .badField,
            ],
            .raw { call, responder in KeyValueService.change(call.request, call.context, responder)
            }
        ),
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/key-values", "getAccountKeyValues",
            "An account's key-value store in an app",
            takes: .oneAccount(),
            answers: ["All keys and their values."],
            refuses: [
                400: """
                `badQuery`: `account` is missing, or `environment` is neither `sandbox` nor \
                `production`.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. \
                `appUnknown`,
                """,
            ],
            .now { try KeyValueService.show($0, app: $0["app"]) }
        )
    ]

    static let scalars = [
        Scalar(
            PropertyListValue.boolean(true), as: "PropertyListValue",
            [
                "description": """
                One member, which names the kind. Arrays and dictionaries are nested at most \
                \(KeyValueLimits.depthMax) deep.
                """,
                "oneOf": [
                    [
                        "type": "object", "required": ["boolean"],
                        "properties": ["boolean": ["type": "boolean"]],
                        "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["integer"],
                        "properties": [
                            "integer": [
                                "type": "integer", "minimum": .integer(Int64.min),
                                "maximum": .integer(UInt64.max),
                            ]
                        ], "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["real"],
                        "properties": ["real": .component("ExactNumber")],
                        "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["string"],
                        "properties": ["string": ["type": "string"]], "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["date"],
                        "properties": ["date": .component("ExactNumber", "Seconds since 2001.")],
                        "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["data"],
                        "properties": [
                            "data": [
                                "type": "string", "contentEncoding": "base64",
                                "pattern": """
                                ^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$
                                """,
                            ]
                        ], "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["array"],
                        "properties": [
                            "array": ["type": "array", "items": .component("PropertyListValue")]
                        ], "additionalProperties": false,
                    ],
                    [
                        "type": "object", "required": ["dictionary"],
                        "properties": [
                            "dictionary": [
                                "type": "object",
                                "additionalProperties": .component("PropertyListValue"),
                            ]
                        ], "additionalProperties": false,
                    ],
                ], "example": ["array": [["integer": 5], ["string": "five"]]],
            ])
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "ExactNumber": [
            "anyOf": [
                ["type": "number", "minimum": .number("-1e308"), "maximum": .number("1e308")],
                ["enum": ["inf", "-inf", "nan"]],
            ]
        ]
    ]
}

extension KeyValueBody: Described {
    package static let notes: Notes = [
        "": ["example": ["key": "turbo", "value": ["boolean": true]]],
        "key": [
            "description": "Without NUL.", "pattern": #"^[^\u0000]+$"#, "minLength": 1,
            "maxLength": .integer(KeyValueLimits.keyBytesMax),
        ],
        "value": "Absent when the key has been removed, or is to be removed.",
    ]
}

extension KeyValuesBody: Described {
    package static let notes: Notes = [
        "revision": ["minimum": 0],
        "isWhole": "Whether these are all keys with a value, and not only the changes.",
    ]
}

extension ChangeKeyValuesBody: Described {
    package static let notes: Notes = [
        "requestId": .component("UUID"),
        "after": [
            "description": "The revision that the device has; 0 when it has none.",
            "minimum": 0, "maximum": .integer(Int64.max),
        ],
        "isInitial": """
        Whether they were written before any value of the account was known; keys that have a \
        value then keep it.
        """,
        "changes": [
            "description": "Each key once.", "maxItems": .integer(KeyValueLimits.changesMax),
        ],
    ]
}

extension AccountKeyValuesBody: Described {
    package static let notes: Notes = [
        "revision": ["minimum": 0],
        "byteCount": [
            "description": "The counted bytes of the values; at most \(KeyValueLimits.bytesMax).",
            "minimum": 0,
        ],
    ]
}
