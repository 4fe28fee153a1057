import StoreHTTP
import StoreModel
import StoreRules

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
                  "409": {"$ref": "#/components/responses/ClockWouldGoBack"},
                  "422": {"$ref": "#/components/responses/ClockOutOfRange"},
        \#(withBody)
                }
              }
            },
            "/control/v1/clock/advance": {
              "post": {
                "operationId": "advanceClock",
                "tags": ["clock"],
                "summary": "Move the clock on",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "required": ["milliseconds"],
                        "properties": {
                          "milliseconds": {
                            "type": "integer",
                            "format": "int64",
                            "minimum": 0,
                            "maximum": \#(WorldClock.range.upperBound.milliseconds)
                          }
                        }
                      },
                      "example": {"milliseconds": 86400000}
                    }
                  }
                },
                "responses": {
                  "200": {"$ref": "#/components/responses/Clock"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "409": {"$ref": "#/components/responses/ClockWouldGoBack"},
                  "422": {"$ref": "#/components/responses/ClockOutOfRange"},
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
        \#(errorResponse("ClockWouldGoBack", "`clockWouldGoBack`: something happened to a customer later than this already, such as a purchase.")),
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
                  "now": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {"mode": "real", "now": 1714558830123}
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
