import StoreModel
import StoreRules

extension StoreDocument {
    static let secrets = #"""
            "/control/v1/developers/{developer}/secrets": {
              "parameters": [
                {"$ref": "#/components/parameters/developer"}
              ],
              "get": {
                "operationId": "listDeveloperSecrets",
                "tags": ["secrets"],
                "summary": "The shared secrets of a developer account, newest first",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The newest \#(Limits.secretsPerAnswerMax), without the secrets themselves.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Secrets"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/DeveloperUnknown"},
        \#(withoutBody)
                }
              },
              "post": {
                "operationId": "makeDeveloperSecret",
                "tags": ["secrets"],
                "summary": "Make a developer account a new shared secret",
                "description": "Those before it are accepted for the overlap, by the real clock.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/MakeSecret"},
                      "example": {"overlapMilliseconds": 86400000}
                    }
                  }
                },
                "responses": {
                  "201": {
                    "description": "Made. No other answer ever shows it.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/MadeSecret"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/DeveloperUnknown"},
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`tooManySecrets`: \#(SecretRules.acceptedMax) are accepted already."
                  },
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            },
            "/control/v1/developers/{developer}/secrets/{number}": {
              "parameters": [
                {"$ref": "#/components/parameters/developer"},
                {
                  "name": "number",
                  "in": "path",
                  "required": true,
                  "schema": {"$ref": "#/components/schemas/SecretNumber"},
                  "example": 1
                }
              ],
              "delete": {
                "operationId": "revokeDeveloperSecret",
                "tags": ["secrets"],
                "summary": "Accept a shared secret of a developer account no longer, for good",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "Revoked, now or before.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Secret"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/DeveloperUnknown",
                    "description": "`developerUnknown`, `secretUnknown`: the developer account or the secret is not there. `worldUnknown`, `notFound`: nothing is at this path."
                  },
        \#(withoutBody)
                }
              }
            },
            "/control/v1/apps/{app}/secrets": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}
              ],
              "get": {
                "operationId": "listAppSecrets",
                "tags": ["secrets"],
                "summary": "The shared secrets of an app, newest first",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The newest \#(Limits.secretsPerAnswerMax), without the secrets themselves.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Secrets"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
        \#(withoutBody)
                }
              },
              "post": {
                "operationId": "makeAppSecret",
                "tags": ["secrets"],
                "summary": "Make an app a new shared secret",
                "description": "Those before it are accepted for the overlap, by the real clock.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/MakeSecret"},
                      "example": {"overlapMilliseconds": 86400000}
                    }
                  }
                },
                "responses": {
                  "201": {
                    "description": "Made. No other answer ever shows it.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/MadeSecret"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`tooManySecrets`: \#(SecretRules.acceptedMax) are accepted already."
                  },
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/secrets/{number}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {
                  "name": "number",
                  "in": "path",
                  "required": true,
                  "schema": {"$ref": "#/components/schemas/SecretNumber"},
                  "example": 1
                }
              ],
              "delete": {
                "operationId": "revokeAppSecret",
                "tags": ["secrets"],
                "summary": "Accept a shared secret of an app no longer, for good",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "Revoked, now or before.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Secret"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/AppUnknown",
                    "description": "`appUnknown`, `secretUnknown`: the app or the secret is not there. `worldUnknown`, `notFound`: nothing is at this path."
                  },
        \#(withoutBody)
                }
              }
            }
        """#

    static let secretParameters = #"""
              "developer": {
                "name": "developer",
                "in": "path",
                "required": true,
                "description": "The developer account's name.",
                "schema": {"$ref": "#/components/schemas/DeveloperName"},
                "example": "default"
              }
        """#

    static let secretResponses = #"""
              "DeveloperUnknown": {
                "description": "`developerUnknown`: there is no developer account of that name. `worldUnknown`, `notFound`: nothing is at this path.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              }
        """#

    static let secretSchemas = #"""
              "SecretNumber": {
                "type": "integer",
                "format": "int64",
                "minimum": 1,
                "maximum": \#(Int64.max)
              },
              "MakeSecret": {
                "type": "object",
                "properties": {
                  "overlapMilliseconds": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "How long those before it go on being accepted; \#(SecretRules.overlapMillisecondsUsual) when absent.",
                    "minimum": 0,
                    "maximum": \#(SecretRules.overlapMillisecondsMax)
                  }
                }
              },
              "MadeSecret": {
                "type": "object",
                "required": ["number", "secret", "madeAt"],
                "properties": {
                  "number": {"type": "integer", "format": "int64", "minimum": 1},
                  "secret": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {
                  "madeAt": 1714558830123,
                  "number": 1,
                  "secret": "00112233445566778899aabbccddeeff"
                }
              },
              "Secret": {
                "type": "object",
                "description": "Its times are by the real clock.",
                "required": ["number", "state", "madeAt"],
                "properties": {
                  "number": {"type": "integer", "format": "int64", "minimum": 1},
                  "state": {
                    "description": "`ending`: replaced, and accepted for a while yet. `ended`: that is over.",
                    "enum": \#(names(SecretState.allCases.map(\.rawValue)))
                  },
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"},
                  "acceptedUntil": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "When a replaced one ends."
                  },
                  "revokedAt": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {
                  "acceptedUntil": 1714645230123,
                  "madeAt": 1714558830123,
                  "number": 1,
                  "state": "ending"
                }
              },
              "Secrets": {
                "type": "object",
                "required": ["secrets"],
                "properties": {
                  "secrets": {
                    "type": "array",
                    "maxItems": \#(Limits.secretsPerAnswerMax),
                    "items": {"$ref": "#/components/schemas/Secret"}
                  }
                }
              }
        """#
}
