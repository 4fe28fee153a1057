import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

extension StoreDocument {
    static let clock = #"""
            "/control/v1/clock": {
              "get": {
                "operationId": "getClock",
                "tags": ["clock"],
                "summary": "The world's time",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {"$ref": "#/components/responses/Clock"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              },
              "put": {
                "operationId": "setClock",
                "tags": ["clock"],
                "summary": "Hold the clock at a time, or let it run from one",
                "description": "Answers when what is due then has happened, or after \#(Limits.advanceAnswerMilliseconds / 1_000) seconds, while that goes on.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "description": "Without `now`, `held` holds the present time and `real` follows the real one.",
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/SetClock"},
                      "example": {"mode": "held", "now": 1893456000000}
                    }
                  }
                },
                "responses": {
                  "200": {"$ref": "#/components/responses/Clock"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "409": {"$ref": "#/components/responses/ClockBusy"},
                  "422": {"$ref": "#/components/responses/ClockOutOfRange"},
        \#(withBody)
                }
              }
            },
            "/control/v1/clock/advance": {
              "post": {
                "operationId": "advanceClock",
                "tags": ["clock"],
                "summary": "Move the clock on; everything that is due until then happens in its order",
                "description": "By an amount or to a date, one of the two. The world's time goes along with what happens.",
                "security": [{"controlToken": []}],
        \#(requestBody("AdvanceClock", example: #"{"milliseconds": 86400000}"#)),
                "responses": {
                  "200": {"$ref": "#/components/responses/Clock"},
        \#(answer(202, "It goes on: after \(Limits.advanceAnswerMilliseconds / 1_000) seconds the clock was not there yet. The clock's `advance` tells of it.", "Clock")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "409": {"$ref": "#/components/responses/ClockBusy"},
        \#(refusal(422, "`clockOutOfRange`: a clock shows a time from 2000 to 2099. `badField`: neither milliseconds nor to, or both.")),
        \#(withBody)
                }
              },
              "delete": {
                "operationId": "cancelAdvance",
                "tags": ["clock"],
                "summary": "End the advance that is on its way; the clock stays at what happened last",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {"$ref": "#/components/responses/Clock"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              }
            },
            "/control/v1/clock/pace": {
              "put": {
                "operationId": "setPace",
                "tags": ["clock"],
                "summary": "How fast subscriptions renew, from their next period on",
                "security": [{"controlToken": []}],
        \#(requestBody("Paces", example: #"{"sandbox": "monthlyRenewalEveryFiveMinutes"}"#)),
                "responses": {
                  "200": {"$ref": "#/components/responses/Clock"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(422, "`badField`: no pace for any environment.")),
        \#(withBody)
                }
              }
            }
        """#

    static let clockResponses = #"""
        \#(errorResponse("WorldUnknown", "`worldUnknown`, `notFound`: nothing is at this path.")),
              "Clock": {
                "description": "The clock as it is now.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Clock"}}
                }
              },
        \#(errorResponse("ClockBusy", "`clockWouldGoBack`: something happened to a customer later than this already, such as a purchase. `clockMoves`: an advance is on its way.")),
        \#(errorResponse("ClockOutOfRange", "`clockOutOfRange`: a clock shows a time from 2000 to 2099."))
        """#

    static let clockSchemas = #"""
              "ClockMode": {
                "description": "`real` runs with the real clock, at a distance; `held` stands still.",
                "enum": ["real", "held"]
              },
              "Clock": {
                "type": "object",
                "required": ["mode", "now"],
                "properties": {
                  "mode": {"$ref": "#/components/schemas/ClockMode"},
                  "now": {"$ref": "#/components/schemas/Timestamp"},
                  "paces": {"$ref": "#/components/schemas/Paces"},
                  "advance": {"$ref": "#/components/schemas/ClockAdvance"}
                },
                "example": {"mode": "real", "now": 1714558830123}
              },
              "AdvanceClock": {
                "type": "object",
                "properties": {
                  "milliseconds": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "minimum": 0,
                    "maximum": \#(WorldClock.range.upperBound.milliseconds)
                  },
                  "to": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "Milliseconds since 1970.",
                    "minimum": \#(WorldClock.range.lowerBound.milliseconds),
                    "maximum": \#(WorldClock.range.upperBound.milliseconds)
                  }
                },
                "example": {"milliseconds": 86400000}
              },
              "ClockAdvance": {
                "type": "object",
                "description": "The newest since the world was opened.",
                "required": [
                  "number", "state", "from", "to", "renewals", "failedPayments", "endings",
                  "leftOut", "leftOutSubscriptions"
                ],
                "properties": {
                  "number": {"type": "integer", "format": "int64"},
                  "state": {"enum": \#(names(ClockAdvanceBody.State.allCases.map(\.rawValue)))},
                  "from": {"$ref": "#/components/schemas/Timestamp"},
                  "to": {"$ref": "#/components/schemas/Timestamp"},
                  "renewals": {"type": "integer", "format": "int64", "minimum": 0},
                  "failedPayments": {"type": "integer", "format": "int64", "minimum": 0},
                  "endings": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "Subscriptions that ended."
                  },
                  "leftOut": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "Subscriptions that were due and could not be settled, when it is done: the log says why, and each is tried again."
                  },
                  "leftOutSubscriptions": {
                    "type": "array",
                    "description": "The first of them, by the numbers of their first transactions.",
                    "maxItems": \#(ClockAdvanceBody.leftOutNamedMax),
                    "items": {"$ref": "#/components/schemas/TransactionID"}
                  },
                  "failure": {"type": "string"}
                }
              },
              "Pace": {
                "description": "`calendar`, the sandbox's minutes for a month, or a rate of `SKTestSession.TimeRate`.",
                "enum": \#(names(RenewalPace.allCases.map(\.rawValue)))
              },
              "Paces": {
                "type": "object",
                "properties": {
                  "production": {"anyOf": [{"$ref": "#/components/schemas/Pace"}, {"type": "null"}]},
                  "sandbox": {"anyOf": [{"$ref": "#/components/schemas/Pace"}, {"type": "null"}]}
                },
                "example": {"production": "calendar", "sandbox": "sandboxFiveMinutes"}
              },
              "SetClock": {
                "type": "object",
                "required": ["mode"],
                "properties": {
                  "mode": {"$ref": "#/components/schemas/ClockMode"},
                  "now": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "Milliseconds since 1970; in the years 2000 to 2099, for which certificates are valid.",
                    "minimum": \#(WorldClock.range.lowerBound.milliseconds),
                    "maximum": \#(WorldClock.range.upperBound.milliseconds)
                  }
                }
              }
        """#
}
