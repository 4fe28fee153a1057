import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

extension StoreDocument {
    static let offerCodes = #"""
            "/control/v1/apps/{app}/products/{product}/offer-codes": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"}
              ],
        \#(get(
            "listOfferCodes", in: "offers",
            "The codes of a product's offers and batches of them, newest first",
            gives: "All of them, those that ended too; one-time codes are not shown.",
            as: "OfferCodes", unknown: refusal(404, as: "ProductUnknown"))),
              "post": {
                "operationId": "makeOfferCode",
                "tags": ["offers"],
                "summary": "Make a custom code, or a batch of one-time codes, for a product's offer",
                "security": [{"controlToken": []}],
        \#(requestBody("MakeOfferCode", example: #"{"offerId": "Spring fair", "word": "SPRING26", "redemptionsMax": 5000}"#)),
                "responses": {
        \#(answer(200, "The very same custom code is there already.", "MadeOfferCode")),
        \#(answer(201, "Made. No other answer ever shows the codes of a batch.", "MadeOfferCode")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`, `productUnknown`, `offerUnknown`: the app, the product or its offer is not there. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`offerCodeTaken`: the word is that of another code of the app, or was. `tooManyOfferCodes`: the app keeps \(Limits.offerCodesMax) codes and batches, or \(OfferCodeRules.redemptionsMax) one-time codes in them.")),
        \#(refusal(422, "`badField`: the message says which. `dateIsOver`, `dateOutOfRange`: a code ends later than now, in the years 2000 to 2099.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/offer-codes/{number}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"},
        \#(numberInPath("OfferCodeNumber"))
              ],
              "delete": {
                "operationId": "deactivateOfferCode",
                "tags": ["offers"],
                "summary": "Let nobody redeem a code, or a batch, from now on",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Deactivated, now or before.", "OfferCode")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`, `productUnknown`, `offerCodeUnknown`: the app, the product or its code is not there. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(withoutBody)
                }
              }
            }
        """#

    static let offerCodeSchemas = #"""
              "OfferCodeNumber": {
                "type": "integer",
                "format": "int64",
                "minimum": 1,
                "maximum": \#(Int64.max)
              },
              "OfferCodeWord": {
                "type": "string",
                "description": "Small letters are the same as capitals.",
                "pattern": "^[0-9A-Za-z]+$",
                "minLength": 1,
                "maxLength": \#(OfferCodeWord.lengthMax)
              },
              "MakeOfferCode": {
                "description": "A custom code, or one-time codes.",
                "oneOf": [
                  {
                    "type": "object",
                    "required": ["offerId", "word", "redemptionsMax"],
                    "properties": {
                      "offerId": {"$ref": "#/components/schemas/OfferReferenceName"},
                      "word": {"$ref": "#/components/schemas/OfferCodeWord"},
                      "redemptionsMax": {
                        "type": "integer",
                        "format": "int64",
                        "minimum": 1,
                        "maximum": \#(OfferCodeRules.redemptionsMax)
                      },
                      "count": {"type": "null"},
        \#(codeEnd)
                    }
                  },
                  {
                    "type": "object",
                    "required": ["offerId", "count"],
                    "properties": {
                      "offerId": {"$ref": "#/components/schemas/OfferReferenceName"},
                      "count": {
                        "type": "integer",
                        "format": "int64",
                        "minimum": 1,
                        "maximum": \#(Limits.oneTimeCodesPerBatchMax)
                      },
                      "word": {"type": "null"},
                      "redemptionsMax": {"type": "null"},
        \#(codeEnd)
                    }
                  }
                ]
              },
              "OfferReferenceName": {
                "type": "string",
                "description": "Of one of the product's offers for codes, as its catalogue file has it."
              },
              "OfferCode": {
                "type": "object",
                "description": "A custom code, or a batch of one-time codes. Its times are by the world's clock.",
                "required": [
                  "number", "kind", "state", "productId", "offerId", "redemptionsMax",
                  "redemptionCount", "madeAt"
                ],
                "properties": {
                  "number": {"$ref": "#/components/schemas/OfferCodeNumber"},
                  "kind": {"enum": \#(names(OfferCodeBody.Kind.allCases.map(\.rawValue)))},
                  "state": {"enum": \#(names(OfferCodeState.allCases.map(\.rawValue)))},
                  "productId": {"type": "string"},
                  "offerId": {"$ref": "#/components/schemas/OfferReferenceName"},
                  "word": {
                    "$ref": "#/components/schemas/OfferCodeWord",
                    "description": "Of a custom code, in capitals."
                  },
                  "redemptionsMax": {
                    "type": "integer",
                    "format": "int64",
                    "description": "Of a batch, how many codes it has.",
                    "minimum": 1,
                    "maximum": \#(OfferCodeRules.redemptionsMax)
                  },
                  "redemptionCount": {
                    "type": "integer",
                    "format": "int64",
                    "description": "In both environments together.",
                    "minimum": 0
                  },
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"},
                  "expiresAt": {"$ref": "#/components/schemas/Timestamp"},
                  "deactivatedAt": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {
                  "kind": "custom",
                  "madeAt": 1714558830123,
                  "number": 1,
                  "offerId": "Spring fair",
                  "productId": "com.example.rocketcar.club",
                  "redemptionCount": 12,
                  "redemptionsMax": 5000,
                  "state": "active",
                  "word": "SPRING26"
                }
              },
              "OfferCodes": {
                "type": "object",
                "required": ["offerCodes"],
                "properties": {
                  "offerCodes": {
                    "type": "array",
                    "maxItems": \#(Limits.offerCodesMax),
                    "items": {"$ref": "#/components/schemas/OfferCode"}
                  }
                }
              },
              "MadeOfferCode": {
                "type": "object",
                "required": ["offerCode"],
                "properties": {
                  "offerCode": {"$ref": "#/components/schemas/OfferCode"},
                  "codes": {
                    "type": "array",
                    "description": "Of a batch.",
                    "minItems": 1,
                    "maxItems": \#(Limits.oneTimeCodesPerBatchMax),
                    "items": {
                      "type": "string",
                      "pattern": "^[A-Z2-9]{\#(Limits.oneTimeCodeLength)}$"
                    }
                  }
                }
              }
        """#

    private static let codeEnd = #"""
                      "expiresAt": {
                        "description": "By the world's clock; no end when null or absent.",
                        \#(nullable("Timestamp"))
                      }
        """#
}
