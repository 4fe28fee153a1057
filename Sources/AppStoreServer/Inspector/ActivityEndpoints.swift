import StoreHTTP
package import StoreService
package import StoreWire

/// The latest requests to a world as its owner sees them.
enum ActivityEndpoints: StoreEndpoints {
    private static let off: RefusalText = """
        `inspectorOff`: the store does not keep requests; the message says how to turn it on.
        """

    static let parameters = [
        Parameter(.path, "activity", "Its number.", schema: "ActivityNumber", example: "1")
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/activity", "listActivity", "The latest requests to the world",
            about: """
                The store keeps its latest \(Limits.activitiesMax) requests of all worlds in memory, \
                \(Limits.activityBytesMax >> 20) MiB at most, until it stops; a request to no known \
                world is one to the default world. With several servers, each has those that it \
                answered, in a list of its own: follow one of them. Left out are monitoring, pages of \
                the console, this list itself, and what an owner reads unless it is refused. A request \
                is on the list before its client has the answer. To follow it, ask again after \
                `position`, with `wait`. Another `list` is of a store that was started again since, or \
                of a world that was deleted and made again: positions of the earlier one mean nothing in \
                it. After a position from the future the answer has the present one. Requests between \
                `after` and `first` have left.
                """,
            takes: [
                .after,
                .limit(
                    Limits.activitiesPerAnswerMax, countMax: Limits.activitiesPerAnswerMax),
                .order,
                Parameter(
                    .query, "wait",
                    "How many seconds to wait for a request if there is none after `after`.",
                    schema: ["type": "integer", "minimum": 0, "maximum": .integer(Int64.max)],
                    example: 20),
                .ofList,
                Parameter(
                    .query, "account",
                    "Only those of the account of this name, whether or not it exists.",
                    schema: "AccountName", example: "buyer@example.com"),
                Parameter(
                    .query, "environment", "Only those of this environment.",
                    schema: "Environment", example: "sandbox"),
                Parameter(
                    .query, "status",
                    "Only those that were refused, by their status or as a receipt or an attempt; "
                        + "or only those with this status.",
                    schema: [
                        "anyOf": [
                            ["const": "refused"],
                            ["type": "integer", "minimum": 0, "maximum": 599],
                        ]
                    ], example: "refused"),
                Parameter(
                    .query, "search",
                    "Only those with this text in path, code or request id, in whatever case.",
                    schema: [
                        "type": "string", "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
                        "maxLength": 200,
                    ], example: "verifyReceipt"),
            ],
            answers: [Answer(200, "A page of them.", .json(ActivitiesBody.self))],
            refuses: [
                400: """
                `badQuery`: `after` or `wait` is not a whole number from 0 up, `limit` not a number \
                from 1 to \(Limits.activitiesPerAnswerMax); `order` or `environment` is unknown; \
                `status` is neither `refused` nor a number up to 599; `account` is empty, or it or \
                `search` is too long; or `wait` is asked with the newest first.
                """,
                404: off,
            ],
            .raw { try ActivityService.list($0, $1) }
        ),
        Endpoint(
            "GET", "/activity/:activity", "getActivity",
            "A request with its headers, bodies and lines of the log",
            about: """
                Passwords, tokens, codes, keys and signatures are counted, as `<12 bytes>`; of \
                receipts and signed data, length and SHA-256 are told. Only the length of an \
                unknown header is kept. Of each body, \(Limits.activityBodyMax >> 10) KiB are kept if it \
                is JSON of at most \(Limits.activityBodyReadMax >> 10) KiB; of others only the length, and \
                the SHA-256 where no secret could be guessed by it. Beyond \
                \(Limits.activityDetailsPerSecond) requests a second, and as many refused ones, only \
                what the list has is kept.
                """,
            answers: ["The request."],
            refuses: [
                404: """
                `activityUnknown`: no request with that number is kept. `inspectorOff`: the store \
                does not keep requests.
                """
            ],
            .now { try ActivityService.show($0, $0["activity"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "ActivityNumber": ["type": "string", "pattern": "^[1-9][0-9]{0,17}$"]
    ]
}

private let entryExample: JSONValue = [
    "account": "buyer@example.com", "at": 1_714_558_830_123, "bundleId": "com.example.rocketcar",
    "bytes": 96, "code": "productNotForSale", "device": 1, "environment": "sandbox",
    "method": "POST", "microseconds": 2_410, "number": 7, "path": "/sandbox/device/v1/attempts",
    "request": "1k2j3h-7", "status": 200, "why": "The product is not for sale.",
]

extension ActivityEntryBody: Described {
    package static let notes: Notes = [
        "": ["example": entryExample],
        "number": [
            "minimum": 1,
            "description": "Its place among the world's requests, in the order of their answers.",
        ],
        "request": "The `Request-Id` of its answer, which the log has, too.",
        "at": "When it had arrived, by the real clock.",
        "path": .string(
            "As sent, without the query; after \(KeptText.pathMax) bytes, … stands for the rest."),
        "environment": "Absent outside the environments.",
        "status": "0 when the connection was closed without an answer.",
        "code": """
        Why it was refused: the code of the error or of the refused attempt, the number of an error of \
        the App Store Server API, or a status of `verifyReceipt`.
        """,
        "why": "The same as a sentence.",
        "microseconds": "From its last byte to its answer.",
        "bytes": "Of the answer's body.",
        "account": "That of the sender's token, or the one that the request names.",
        "device": "Its number in the world.",
        "bundleId": "The app of the device or server, or the one that the request names.",
    ]
}

extension ActivitiesBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "first": 1, "list": "0B9A6E1C-52F7-4E0D-8C37-3F5B1D2A9E64", "position": 0,
                "requests": [],
            ]
        ],
        "list": "Names the list that the numbers are of.",
        "requests": ["maxItems": .integer(Limits.activitiesPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
        "position": [
            "minimum": 0,
            "description": """
            The `after` of a later list, the oldest first, that has only what this one had not.
            """,
        ],
        "first": [
            "minimum": 1,
            "description": "The oldest number that is kept; the next one when none is.",
        ],
    ]
}

extension ActivityDetailsBody: Described {
    package static let notes: Notes = [
        "": ["description": "The members of a list's entry, and more."],
        "number": ["minimum": 1],
        "query": """
        Percent-encoded, without secrets; absent without one. It ends with … where items were left \
        out, above \(KeptText.queryMax) bytes.
        """,
        "requestBody": "Absent without one, and when it is not kept.",
        "answerBody": "Absent without one, and when it is not kept.",
        "lines": ["maxItems": .integer(Activity.linesMax)],
    ]
}

extension ActivityPayloadBody: Described {
    package static let notes: Notes = [
        "text": "JSON without its secrets; absent for anything else.",
        "bytes": "Of the whole body.",
        "isCut": "Whether `text` lacks some of it.",
        "sha256": """
        Of the whole body, in hexadecimal; absent when it has or may have secrets that could be \
        guessed, and when the body was not read.
        """,
    ]
}

extension ActivityLineBody: Described {
    package static let notes: Notes = [
        "fields": "By name; a secret is `<12 bytes>`."
    ]
}
