import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

/// The history of a world as its owner sees it.
enum HistoryEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(.path, "event", "Its number.", schema: "EventNumber", example: "1")
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/events", "listEvents", "What happened in the world, in its order",
            about: """
                With filters a page may have fewer events than it could, and none at all, while \
                `next` says that the list continues: \(Limits.rowsLookedAtMax) are looked at for \
                it. To follow the history, ask again after `position`, with `wait`; an answer \
                without events says where to go on, too. Another `list` is that of a world that was \
                restored or made again since: positions of the earlier one mean nothing in it. After \
                a position from the future the answer has the present one.
                """,
            takes: [
                .after, .limit(Limits.eventsPerAnswerMax, countMax: Limits.eventsPerAnswerMax),
                .order,
                Parameter(
                    .query, "wait",
                    "How many seconds to wait for an event if there is none after `after`.",
                    schema: ["type": "integer", "minimum": 0, "maximum": .integer(Int64.max)],
                    example: 20),
                .ofList,
                .ofAccount, .ofEnvironment, .ofApp,
                Parameter(
                    .query, "kind", "Only those of this kind.",
                    schema: .oneOf(Event.Kind.allCases.map(\.rawValue)), example: "refundRequested"),
            ],
            answers: [Answer(200, "A page of them.", .json(EventsBody.self))],
            refuses: [
                400: """
                `badQuery`: `after` or `wait` is not a whole number from 0 up, `limit` not a number \
                from 1 to \(Limits.eventsPerAnswerMax); `order`, `environment` or `kind` is \
                unknown; or `wait` is asked with the newest first.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. `appUnknown`: the \
                world has no such app.
                """,
            ],
            .raw { try HistoryService.list($0, $1) }
        ),
        Endpoint(
            "GET", "/events/:event", "getEvent", "An event, and its transaction as that is now",
            answers: ["The event."],
            refuses: [404: "`eventUnknown`: the world has none with that number."],
            .now { try HistoryService.show($0, $0["event"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "EventNumber": ["type": "string", "pattern": "^[1-9][0-9]{0,17}$"]
    ]
}

extension EventBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "account": "buyer@example.com", "at": 1_714_558_830_123,
                "bundleId": "com.example.rocketcar", "environment": "sandbox",
                "kind": "purchased", "number": 1, "productId": "com.example.rocketcar.fuel",
                "transactionId": "2000000000000000",
            ]
        ],
        "number": ["minimum": 1],
        "kind": .oneOf(Event.Kind.allCases.map(\.rawValue)),
        "transactionId": .component("TransactionID", "Absent for an event of none."),
        "productId": "That of the transaction.",
        "subject": """
        By kind: `declined`, the attempt; `refundRequested`, the reason; `storefrontChanged`, the \
        country; `priceConsent`, the question's number; `renewalFailed`, when the grace period \
        ends (RFC 3339), absent without one; `expired`, the number of the reason; \
        `renewalChanged`, the product that it renews as; `extended` and \
        `extensionFailed`, the request of the app's server.
        """,
        "at": "By the world's clock.",
    ]
}

extension EventsBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "events": [], "list": "0B9A6E1C-52F7-4E0D-8C37-3F5B1D2A9E64", "position": 0,
            ]
        ],
        "events": ["maxItems": .integer(Limits.eventsPerAnswerMax)],
        "list": "Names the history that the numbers are of: the id of its world.",
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
        "position": [
            "minimum": 0,
            "description": """
            The `after` of a later list, the oldest first, that has only what this one had not: \
            what happens from now on when these are the newest first.
            """,
        ],
    ]
}
