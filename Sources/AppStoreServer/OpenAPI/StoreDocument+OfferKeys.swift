import StoreHTTP
import StoreWire

extension StoreDocument {
    static let offerKeys = #"""
            "/control/v1/apps/{app}/offer-keys": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
        \#(get(
            "listOfferKeys", in: "offers",
            "The keys that an app's server signs promotional offers with, newest first",
            gives: "All of them, without their private halves.", as: "OfferKeys",
            unknown: refusal(404, as: "AppUnknown"))),
              "post": {
                "operationId": "makeOfferKey",
                "tags": ["offers"],
                "summary": "Make an app a new offer key",
                "description": "On the curve P-256. Those before it stay good.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(201, "Made. No other answer ever shows its private half.", "MadeOfferKey")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
        \#(refusal(409, "`tooManyOfferKeys`: \(Limits.offerKeysMax) of this app are kept, with those that were revoked.")),
        \#(withoutBody)
                }
              }
            },
            "/control/v1/apps/{app}/offer-keys/{key}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
        \#(inPath("key", "OfferKeyID", example: "2X9R4HXF34"))
              ],
              "delete": {
                "operationId": "revokeOfferKey",
                "tags": ["offers"],
                "summary": "Take what an offer key signed no longer, for good",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Revoked, now or before.", "OfferKey")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`, `offerKeyUnknown`: the app or the key is not there. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(withoutBody)
                }
              }
            }
        """#

    static let offerKeySchemas = #"""
              "OfferKeyID": {
                "type": "string",
                "pattern": "^[0-9A-Za-z]+$",
                "minLength": 1,
                "maxLength": \#(Limits.offerKeyIDBytesMax)
              },
              "OfferKey": {
                "type": "object",
                "description": "Its times are by the real clock.",
                "required": ["keyId", "origin", "madeAt"],
                "properties": {
                  "keyId": {"$ref": "#/components/schemas/OfferKeyID"},
                  "origin": {
                    "description": "`catalogue`: it stands in the app's catalogue file.",
                    "enum": \#(names(OfferKeyOrigin.allCases.map(\.rawValue)))
                  },
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"},
                  "revokedAt": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {"keyId": "2X9R4HXF34", "madeAt": 1714558830123, "origin": "made"}
              },
              "OfferKeys": {
                "type": "object",
                "required": ["keys"],
                "properties": {
                  "issuerId": {
                    "$ref": "#/components/schemas/IssuerID",
                    "description": "Absent before the first key of the app's developer account."
                  },
                  "keys": {
                    "type": "array",
                    "maxItems": \#(Limits.offerKeysMax),
                    "items": {"$ref": "#/components/schemas/OfferKey"}
                  }
                }
              },
              "IssuerID": {
                "type": "string",
                "description": "What a JWS of the app's server says as `iss`.",
                "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
              },
              "MadeOfferKey": {
                "type": "object",
                "required": ["keyId", "issuerId", "privateKey", "madeAt"],
                "properties": {
                  "keyId": {"type": "string", "pattern": "^[A-Z0-9]{10}$"},
                  "issuerId": {"$ref": "#/components/schemas/IssuerID"},
                  "privateKey": {
                    "type": "string",
                    "description": "PKCS#8 in PEM, as a server reads it from a `.p8` file.",
                    "pattern": "^-----BEGIN PRIVATE KEY-----\\n"
                  },
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {
                  "issuerId": "57246542-96fe-1a63-e053-0824d011072a",
                  "keyId": "2X9R4HXF34",
                  "madeAt": 1714558830123,
                  "privateKey": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n"
                }
              }
        """#
}
