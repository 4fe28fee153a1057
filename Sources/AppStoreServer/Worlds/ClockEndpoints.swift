import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ClockEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/clock", "getClock", "The world's time",
            answers: [Answer(200, "The clock as it is now.", .json(ClockBody.self))],
            .raw { call, responder in ClockService.clock(call.request, call.context, responder) }
        ),
        Endpoint(
            "PUT", "/clock", "setClock", "Hold the clock at a time, or let it run from one",
            about: """
                The clock shows the time at once. Anything due by then happens as in an advance, \
                which the answer reports, but does not wait for the answers of a payment provider.
                """,
            body: RequestBody(
                .schema("SetClock"), example: ["mode": "held", "now": 1_893_456_000_000],
                description: """
                    Without `now`, `held` holds the present time and `real` follows the real \
                    clock.
                    """),
            answers: [
                Answer(200, "The clock as it is now.", .json(ClockBody.self)),
                Answer(
                    202,
                    """
                    In progress: after \(Limits.advanceAnswerMilliseconds / 1_000) seconds, some \
                    due events had not happened yet. The clock's `advance` reports it.
                    """, .json(ClockBody.self)),
            ],
            refuses: [
                409: """
                `clockWouldGoBack`: a customer has a later event, such as a purchase. \
                `clockMoves`: an advance is under way, or the clock is being set.
                """, 422: "`clockOutOfRange`: a clock must show a time from 2000 to 2099.",
            ],
            .raw { call, responder in ClockService.set(call.request, call.context, responder) }
        ),
        Endpoint(
            "POST", "/clock/advance", "advanceClock",
            "Move the clock on; everything due until then happens in order",
            about: """
                Either by an amount or to a date. The world's time follows the events.
                """,
            body: RequestBody(.json(AdvanceClockBody.self), example: ["milliseconds": 86_400_000]),
            answers: [
                Answer(200, "The clock as it is now.", .json(ClockBody.self)),
                Answer(
                    202,
                    """
                    In progress: after \(Limits.advanceAnswerMilliseconds / 1_000) seconds the \
                    clock had not arrived yet. The clock's `advance` reports it.
                    """, .json(ClockBody.self)),
            ],
            refuses: [
                409: """
                `clockWouldGoBack`: a customer has a later event, such as a purchase. \
                `clockMoves`: an advance is under way, or the clock is being set.
                """,
                422: """
                `clockOutOfRange`: a clock must show a time from 2000 to 2099. `badField`: give \
                either milliseconds or to.
                """,
            ],
            .raw { call, responder in ClockService.advance(call.request, call.context, responder) }
        ),
        Endpoint(
            "DELETE", "/clock/advance", "cancelAdvance",
            "Cancel the advance that is under way; the clock stays at the last event",
            about: "What is due at the time of a clock that was set happens in any case.",
            answers: [Answer(200, "The clock as it is now.", .json(ClockBody.self))],
            .raw { call, responder in
                ClockService.cancelAdvance(call.request, call.context, responder)
            }
        ),
        Endpoint(
            "PUT", "/clock/pace", "setPace",
            "Set how fast subscriptions renew, from their next period on",
            body: RequestBody(
                .json(PacesBody.self), example: ["sandbox": "monthlyRenewalEveryFiveMinutes"]),
            answers: [Answer(200, "The clock as it is now.", .json(ClockBody.self))],
            refuses: [422: "`badField`: the body has no pace for any environment."],
            .raw { call, responder in ClockService.setPace(call.request, call.context, responder) }
        ),
    ]

    static let scalars: [Scalar] = [
        .cases(
            of: ClockBody.Mode.self, as: "ClockMode",
            "`real` runs with the real clock, at an offset; `held` stands still."),
        .cases(
            of: RenewalPace.self, as: "Pace",
            """
            `calendar`, the sandbox's minutes for a month, or a rate of \
            `SKTestSession.TimeRate`.
            """),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "SetClock": [
            "type": "object", "required": ["mode"],
            "properties": [
                "mode": .component("ClockMode"),
                "now": [
                    "type": ["integer", "null"], "format": "int64",
                    "description": """
                    Milliseconds since 1970; in the years 2000 to 2099, for which \
                    certificates are valid.
                    """, "minimum": .integer(WorldClock.range.lowerBound.milliseconds),
                    "maximum": .integer(WorldClock.range.upperBound.milliseconds),
                ],
            ],
        ]
    ]
}

extension ClockBody: Described {
    package static let notes: Notes = [
        "": ["required": ["mode", "now"], "example": ["mode": "real", "now": 1_714_558_830_123]]
    ]
}

extension AdvanceClockBody: Described {
    package static let notes: Notes = [
        "": ["example": ["milliseconds": 86_400_000]],
        "milliseconds": [
            "minimum": 0, "maximum": .integer(WorldClock.range.upperBound.milliseconds),
        ],
        "to": [
            "type": "integer", "format": "int64", "description": "Milliseconds since 1970.",
            "minimum": .integer(WorldClock.range.lowerBound.milliseconds),
            "maximum": .integer(WorldClock.range.upperBound.milliseconds),
        ],
    ]
}

extension ClockAdvanceBody: Described {
    package static let notes: Notes = [
        "": [
            "description": """
            The newest advance since the world was opened or its clock was set; a set clock has \
            one when anything was due by its time.
            """
        ],
        "renewals": ["minimum": 0],
        "failedPayments": ["minimum": 0],
        "endings": ["minimum": 0, "description": "Subscriptions that expired."],
        "leftOut": [
            "minimum": 0,
            "description": """
            How many due subscriptions could not be settled, once it is done: the log has the \
            reasons, and each is tried again.
            """,
        ],
        "leftOutSubscriptions": [
            "description": "The first of them, by the numbers of their first transactions.",
            "maxItems": .integer(ClockAdvanceBody.leftOutNamedMax),
            "items": .component("TransactionID"),
        ],
    ]
}

extension PacesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["production": "calendar", "sandbox": "sandboxFiveMinutes"]]
    ]
}
