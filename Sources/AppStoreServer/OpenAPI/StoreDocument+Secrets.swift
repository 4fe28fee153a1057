import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let secrets = [
        secretPaths(
            of: SecretOwner(
                kind: "Developer", folder: "developers", noun: "developer account",
                article: "a")),
        secretPaths(of: SecretOwner(kind: "App", folder: "apps", noun: "app", article: "an")),
    ].joined(separator: ",\n")

    /// Whose secrets they are: an app's own, or a developer account's for all its apps.
    private struct SecretOwner {
        /// As it stands in the names of operations and responses.
        let kind: String
        let folder: String
        let noun: String
        let article: String

        var parameter: String { kind.lowercased() }
        var name: String { "\(article) \(noun)" }
    }

    private static func secretPaths(of owner: SecretOwner) -> String {
        #"""
            "/control/v1/\#(owner.folder)/{\#(owner.parameter)}/secrets": {
              "parameters": [
                {"$ref": "#/components/parameters/\#(owner.parameter)"}
              ],
              "get": {
                "operationId": "list\#(owner.kind)Secrets",
                "tags": ["secrets"],
                "summary": "The shared secrets of \#(owner.name), newest first",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "The newest \(Limits.secretsPerAnswerMax), without the secrets themselves.", "Secrets")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/\#(owner.kind)Unknown"},
        \#(withoutBody)
                }
              },
              "post": {
                "operationId": "make\#(owner.kind)Secret",
                "tags": ["secrets"],
                "summary": "Make \#(owner.name) a new shared secret",
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
        \#(answer(201, "Made. No other answer ever shows it.", "MadeSecret")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/\#(owner.kind)Unknown"},
        \#(refusal(409, "`tooManySecrets`: \(SecretRules.acceptedMax) are accepted already. `tooManySecretsKept`: \(Limits.secretsKeptMax) of this owner are kept, with those that ended.")),
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            },
            "/control/v1/\#(owner.folder)/{\#(owner.parameter)}/secrets/{number}": {
              "parameters": [
                {"$ref": "#/components/parameters/\#(owner.parameter)"},
        \#(numberInPath("SecretNumber"))
              ],
              "delete": {
                "operationId": "revoke\#(owner.kind)Secret",
                "tags": ["secrets"],
                "summary": "Accept a shared secret of \#(owner.name) no longer, for good",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Revoked, now or before.", "Secret")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`\(owner.parameter)Unknown`, `secretUnknown`: the \(owner.noun) or the secret is not there. `worldUnknown`, `notFound`: nothing is at this path.", as: "\(owner.kind)Unknown")),
        \#(withoutBody)
                }
              }
            }
        """#
    }

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

    static let secretResponses = errorResponse(
        "DeveloperUnknown",
        "`developerUnknown`: there is no developer account of that name. `worldUnknown`, `notFound`: nothing is at this path."
    )

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
