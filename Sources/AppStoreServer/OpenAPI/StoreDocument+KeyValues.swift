import StoreHTTP
import StoreModel

extension StoreDocument {
    static let keyValues = #"""
            "/{environment}/device/v1/key-values": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "get": {
                "operationId": "getKeyValues",
                "tags": ["device"],
                "summary": "What changed in the account's key-value store; waits for the first change",
                "description": "Who knows nothing, too little, or a revision that never was, is told everything.",
                "security": [{"deviceToken": []}],
                "parameters": [
        \#(after("The revision of the last answer; 0 when absent.")),
                  {
                    "name": "wait",
                    "in": "query",
                    "description": "How many seconds to wait for a change, \#(Limits.pollSecondsMax) at most; 0 when absent.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 0
                  }
                ],
                "responses": {
        \#(answer(200, "The changes. None means that the wait ended.", "KeyValues")),
        \#(refusal(400, "`badQuery`: `after` or `wait` is no whole number from 0 up. `badRequest`: the path, the query or a header can be read in two ways.")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(always)
                }
              },
              "put": {
                "operationId": "changeKeyValues",
                "tags": ["device"],
                "summary": "Change the account's key-value store in this app",
                "description": "All changes are made or none. The same id with the same changes is made once, however often it is asked. Of two changes of one key the one that comes last stays.",
                "security": [{"deviceToken": []}],
                "requestBody": {
                  "required": true,
                  "x-bodyBytesMax": \#(Limits.keyValuesBodyMax),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/ChangeKeyValues"},
                      "example": {
                        "requestId": "11111111-2222-4333-8444-555555555555",
                        "after": 0,
                        "isInitial": false,
                        "changes": [{"key": "turbo", "value": {"boolean": true}}, {"key": "old"}]
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(200, "What changed after the revision, this with it.", "KeyValues")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`keyValuesFull`: there would be more than \(KeyValueLimits.keysMax) keys or \(KeyValueLimits.bytesMax) bytes. `requestIdReused`: the id was used with other changes or another account.")),
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/key-values": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
              "get": {
                "operationId": "getAccountKeyValues",
                "tags": ["accounts"],
                "summary": "An account's key-value store in an app",
                "security": [{"controlToken": []}],
                "parameters": [
        \#(accountInQuery)
                ],
                "responses": {
        \#(answer(200, "All keys and their values.", "AccountKeyValues")),
        \#(refusal(400, "`badQuery`: `account` is missing, or `environment` is none. `badRequest`: the path, the query or a header can be read in two ways.")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`accountUnknown`: the environment has no account of that name. `appUnknown`, `worldUnknown`, `notFound`: nothing is at this path.", as: "AppUnknown")),
        \#(always)
                }
              }
            }
        """#

    static let keyValueSchemas = #"""
              "PropertyListValue": {
                "description": "One member, which names the kind. At most \#(KeyValueLimits.depthMax) arrays and dictionaries stand in each other.",
                "oneOf": [
                  \#(kind("boolean", #"{"type": "boolean"}"#)),
                  \#(kind("integer", #"{"type": "integer", "minimum": \#(Int64.min), "maximum": \#(UInt64.max)}"#)),
                  \#(kind("real", ##"{"$ref": "#/components/schemas/ExactNumber"}"##)),
                  \#(kind("string", #"{"type": "string"}"#)),
                  \#(kind("date", ##"{"$ref": "#/components/schemas/ExactNumber", "description": "Seconds since 2001."}"##)),
                  \#(kind("data", #"{"type": "string", "contentEncoding": "base64", "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"}"#)),
                  \#(kind("array", ##"{"type": "array", "items": {"$ref": "#/components/schemas/PropertyListValue"}}"##)),
                  \#(kind("dictionary", ##"{"type": "object", "additionalProperties": {"$ref": "#/components/schemas/PropertyListValue"}}"##))
                ],
                "example": {"array": [{"integer": 5}, {"string": "five"}]}
              },
              "ExactNumber": {
                "anyOf": [{"type": "number", "minimum": -1e308, "maximum": 1e308}, {"enum": ["inf", "-inf", "nan"]}]
              },
              "KeyValue": {
                "type": "object",
                "required": ["key"],
                "properties": {
                  "key": {
                    "type": "string",
                    "description": "Without NUL.",
                    "pattern": "^[^\\u0000]+$",
                    "minLength": 1,
                    "maxLength": \#(KeyValueLimits.keyBytesMax)
                  },
                  "value": {
                    "description": "Absent when the key has been removed, or is to be.",
                    \#(nullable("PropertyListValue"))
                  }
                },
                "example": {"key": "turbo", "value": {"boolean": true}}
              },
              "KeyValues": {
                "type": "object",
                "required": ["revision", "isWhole", "entries"],
                "properties": {
                  "revision": {"type": "integer", "format": "int64", "minimum": 0},
                  "isWhole": {
                    "type": "boolean",
                    "description": "Whether these are all keys that have a value, instead of what changed."
                  },
                  "entries": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/KeyValue"}
                  }
                }
              },
              "ChangeKeyValues": {
                "type": "object",
                "required": ["requestId", "after", "isInitial", "changes"],
                "properties": {
                  "requestId": {"$ref": "#/components/schemas/UUID"},
                  "after": {
                    "type": "integer",
                    "format": "int64",
                    "description": "The revision that the device knows; 0 when it knows none.",
                    "minimum": 0,
                    "maximum": \#(Int64.max)
                  },
                  "isInitial": {
                    "type": "boolean",
                    "description": "Whether they were written before any value of the account was known: then keys that have a value keep it."
                  },
                  "changes": {
                    "type": "array",
                    "description": "Each key once.",
                    "maxItems": \#(KeyValueLimits.changesMax),
                    "items": {"$ref": "#/components/schemas/KeyValue"}
                  }
                }
              },
              "AccountKeyValues": {
                "type": "object",
                "required": ["account", "revision", "byteCount", "entries"],
                "properties": {
                  "account": {"type": "string"},
                  "revision": {"type": "integer", "format": "int64", "minimum": 0},
                  "byteCount": {
                    "type": "integer",
                    "description": "What the values count for; \#(KeyValueLimits.bytesMax) at most.",
                    "minimum": 0
                  },
                  "entries": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/KeyValue"}
                  }
                }
              }
        """#

    /// The schema of a value of one kind.
    private static func kind(_ name: String, _ schema: String) -> String {
        let properties = #"{"\#(name)": \#(schema)}"#
        return
            #"{"type": "object", "required": ["\#(name)"], "properties": \#(properties), "additionalProperties": false}"#
    }
}
