import StoreModel

extension StoreDocument {
    static let parameters = #"""
              "environment": {
                "name": "environment",
                "in": "path",
                "required": true,
                "description": "They share the catalogue and nothing else.",
                "schema": {"$ref": "#/components/schemas/Environment"},
                "example": "sandbox"
              },
              "app": {
                "name": "app",
                "in": "path",
                "required": true,
                "description": "The app's bundle identifier.",
                "schema": {"$ref": "#/components/schemas/BundleID"},
                "example": "com.example.rocketcar"
              },
              "product": {
                "name": "product",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/Identifier"},
                "example": "com.example.rocketcar.fuel"
              }
        """#

    /// Answers that more than one operation gives.
    static let responses = #"""
              "Error": {
                "description": "Refused; nothing was changed.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "BadRequest": {
                "description": "`badRequest`: the path, the query or a header can be read in two ways.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "BadBody": {
                "description": "`badBody`: the body is not as described; the message says where. `badRequest`: the path, the query or a header can be read in two ways.",
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/Error"},
                    "example": {
                      "error": {
                        "code": "badBody",
                        "message": "The body is not as expected: mode is missing."
                      }
                    }
                  }
                }
              },
              "ControlTokenWrong": {
                "description": "`controlTokenWrong`: without the control token.",
                "headers": {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "TokenUnknown": {
                "description": "`tokenUnknown`: the token is missing, expired, or of another world.",
                "headers": {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "TooLarge": {
                "description": "`bodyTooLarge`: \#(Limits.bodyMax) bytes are taken, where `x-bodyBytesMax` does not say another number.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "Failed": {
                "description": "`internal`, `badAnswer`: a mistake of the store's own; its log says which.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "Unavailable": {
                "description": "`busy`, `signInBusy`: too much at once. `storage`, `diskFull`: nothing was changed. `stopping`: not taken any more. `notAnswered`: what was asked may have happened.",
                "headers": {
                  "Retry-After": {
                    "description": "Seconds; not with every code.",
                    "schema": {"type": "integer", "minimum": 1}
                  }
                },
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              }
        """#

    static let errorSchemas = #"""
              "Error": {
                "type": "object",
                "required": ["error"],
                "properties": {
                  "error": {
                    "type": "object",
                    "required": ["code", "message"],
                    "properties": {
                      "code": {"$ref": "#/components/schemas/ErrorCode"},
                      "message": {"type": "string", "description": "A sentence for people."}
                    }
                  }
                }
              },
              "ErrorCode": {
                "description": "A name for programs; each operation says which come with which status.",
                "enum": [
                  "accountLocked", "accountUnknown", "appUnknown", "attemptIdReused",
                  "badAnswer", "badBody", "badCatalogue", "badField", "badName", "badPrice",
                  "badQuery", "badRequest", "badSeed", "bodyTooLarge", "busy", "clockOutOfRange",
                  "clockWouldGoBack", "controlTokenWrong", "dateIsOver", "dateOutOfRange",
                  "dateTaken", "developerUnknown", "diskFull", "internal", "kindNeedsNoDelay",
                  "kindOfSoldProduct", "methodNotAllowed", "nameTaken", "notAnswered",
                  "notFound", "notSignedIn", "noteMissing", "passwordWrong", "priceHasBegun",
                  "priceUnknown", "productUnknown", "productionClosed", "reasonMissing",
                  "reasonNotWanted", "secretUnknown", "signInBusy", "snapshotDamaged",
                  "snapshotExists", "snapshotUnknown", "stateNotAllowed", "stopping", "storage",
                  "storefrontUnknown", "tokenUnknown", "tooMany", "tooManyChanges",
                  "tooManyPrices", "tooManyRegistrations", "tooManySecrets", "tooManySnapshots",
                  "tooManyWorlds", "transactionUnknown", "worldBusy", "worldExists",
                  "worldInUse", "worldIsDefault", "worldUnknown"
                ]
              },
              "Environment": {"enum": \#(names(StoreEnvironment.allCases.map(\.rawValue)))},
              "EnvironmentName": {"enum": \#(names(StoreEnvironment.allCases.map(\.wireName)))},
              "BundleID": {
                "type": "string",
                "pattern": "^[A-Za-z0-9.-]+$",
                "minLength": 1,
                "maxLength": \#(Limits.identifierBytesMax)
              },
              "Identifier": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                "minLength": 1,
                "maxLength": \#(Limits.identifierBytesMax)
              },
              "UUID": {
                "type": "string",
                "description": "Small letters are taken as capitals.",
                "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
              },
              "Timestamp": {
                "type": "integer",
                "format": "int64",
                "description": "Milliseconds since 1970; in the years 1 to 9999.",
                "minimum": \#(Timestamp.range.lowerBound.milliseconds),
                "maximum": \#(Timestamp.range.upperBound.milliseconds)
              },
              "StorefrontCode": {
                "description": "ISO 3166-1 alpha-3.",
                "enum": [
                  \#(storefrontLines)
                ]
              }
        """#

    /// Twelve codes a line.
    private static let storefrontLines: String = {
        let codes = Storefront.all.map { "\"\($0.countryCode)\"" }
        return stride(from: 0, to: codes.count, by: 12)
            .map { codes[$0..<min($0 + 12, codes.count)].joined(separator: ", ") }
            .joined(separator: ",\n          ")
    }()
}
