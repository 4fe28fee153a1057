import StoreHTTP
import StoreModel

extension StoreDocument {
    static let giftCodes = #"""
            "/control/v1/gift-codes": {
        \#(getPage(
            "listGiftCodes", in: "money",
            "The gift codes of the world, used ones too, oldest first",
            gives: "A page of them, without the codes themselves.", as: "GiftCodes")),
              "post": {
                "operationId": "makeGiftCode",
                "tags": ["money"],
                "summary": "Make a gift code",
                "security": [{"controlToken": []}],
        \#(requestBody("MakeGiftCode", example: #"{"amount": "25", "currency": "USD"}"#)),
                "responses": {
        \#(answer(201, "Made. No other answer ever shows the code.", "MadeGiftCode")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`tooManyGiftCodes`: \(Limits.giftCodesMax) are kept, with those that were used.")),
        \#(refusal(422, "`badField`: `amount` is none, or `expiresAt` is past by the world's clock or after 2099.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/gift-codes/{number}": {
              "parameters": [
        \#(numberInPath("GiftCodeNumber"))
              ],
              "delete": {
                "operationId": "voidGiftCode",
                "tags": ["money"],
                "summary": "Let nobody redeem a gift code any more",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Voided, now or before.", "GiftCode")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`giftCodeUnknown`: the world has none of that number. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`giftCodeRedeemed`: it was redeemed.")),
        \#(withoutBody)
                }
              }
            }
        """#

    static let giftCodeSchemas = #"""
              "GiftCodeNumber": {
                "type": "integer",
                "format": "int64",
                "minimum": 1,
                "maximum": \#(Int64.max)
              },
              "MakeGiftCode": {
                "type": "object",
                "required": ["amount", "currency"],
                "properties": {
                  "environment": {
                    "description": "Whose accounts may redeem it; `sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "amount": {"$ref": "#/components/schemas/Amount"},
                  "currency": {"$ref": "#/components/schemas/CurrencyCode"},
                  "expiresAt": {
                    "description": "By the world's clock; good for ever when absent.",
                    \#(nullable("Timestamp"))
                  }
                }
              },
              "MadeGiftCode": {
                "type": "object",
                "required": [
                  "number", "code", "environment", "amountMilliunits", "currency", "madeAt"
                ],
                "properties": {
        \#(worth),
                  "code": {
                    "type": "string",
                    "pattern": "^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){4}$"
                  }
                },
                "example": {
                  "amountMilliunits": 25000,
                  "code": "7KQM-0D3T-XW9A-5FGH-2RNZ",
                  "currency": "USD",
                  "environment": "sandbox",
                  "madeAt": 1714558830123,
                  "number": 1
                }
              },
              "GiftCode": {
                "type": "object",
                "description": "Its times are by the world's clock.",
                "required": [
                  "number", "state", "environment", "amountMilliunits", "currency", "madeAt"
                ],
                "properties": {
        \#(worth),
                  "state": {"enum": \#(names(GiftCodeState.allCases.map(\.rawValue)))},
                  "voidedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "redeemedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "redeemedBy": {"type": "string", "description": "The account's name."}
                },
                "example": {
                  "amountMilliunits": 25000,
                  "currency": "USD",
                  "environment": "sandbox",
                  "madeAt": 1714558830123,
                  "number": 1,
                  "state": "open"
                }
              },
        \#(pageSchema(
            "GiftCodes", of: "GiftCode", in: "giftCodes", countMax: Limits.giftCodesPerAnswerMax))
        """#

    private static let worth = #"""
                  "number": {"type": "integer", "format": "int64", "minimum": 1},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "amountMilliunits": {"type": "integer", "format": "int64", "minimum": 1},
                  "currency": {"$ref": "#/components/schemas/CurrencyCode"},
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"},
                  "expiresAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "Absent for one that is good for ever."
                  }
        """#
}
