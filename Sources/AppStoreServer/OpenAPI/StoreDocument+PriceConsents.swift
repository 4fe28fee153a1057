import StoreHTTP
import StoreRules
import StoreWire

extension StoreDocument {
    static let priceConsents = [
        asking, ownersAnswer("agree", "Agree to a price for the person"),
        ownersAnswer("decline", "Decline a price for the person"),
        devicesAnswer("agree", "The person agrees to a price"),
        devicesAnswer("decline", "The person declines a price"),
    ].joined(separator: ",\n")

    private static let asking = #"""
            "/control/v1/price-consents": {
        \#(getPage(
            "listPriceConsents", in: "accounts",
            "What accounts were asked about prices, answered or not, oldest first",
            as: "PriceConsents")),
              "post": {
                "operationId": "askPriceConsent",
                "tags": ["accounts"],
                "summary": "Ask an account whether it goes on with a subscription at a higher price",
                "description": "Its devices ask the person. The price of the product stays as it is, and a subscription that was told this price goes by the answer.",
                "security": [{"controlToken": []}],
        \#(requestBody("AskPriceConsent", example: #"{"name": "buyer@example.com", "bundleId": "com.example.rocketcar", "productId": "com.example.rocketcar.club", "price": "2.99"}"#)),
                "responses": {
        \#(answer(200, "The very same waits for an answer already.", "PriceConsent")),
        \#(answer(201, "Asked.", "PriceConsent")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`accountUnknown`, `appUnknown`, `productUnknown`: the world has none of that name. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`notRenewable`: the product is no auto-renewable subscription. `otherPricePending`: another price of it waits for an answer. `noPriceIncrease`: the account pays as much now, or more. `tooManyPriceConsents`: \(PriceConsentRules.pendingMax) wait in this app.")),
        \#(refusal(422, as: "BadPrice")),
        \#(withBody)
                }
              }
            }
        """#

    private static func ownersAnswer(_ name: String, _ summary: String) -> String {
        #"""
            "/control/v1/price-consents/{number}/\#(name)": {
              "parameters": [
        \#(consentNumber)
              ],
              "post": {
                "operationId": "\#(name)ToPrice",
                "tags": ["accounts"],
                "summary": "\#(summary)",
                "description": "The same answer however often it is asked.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Answered, now or before.", "PriceConsent")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`priceConsentUnknown`: the world has no question of that number. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(answeredBefore),
        \#(withoutBody)
                }
              }
            }
        """#
    }

    private static func devicesAnswer(_ name: String, _ summary: String) -> String {
        #"""
            "/{environment}/device/v1/price-consents/{number}/\#(name)": {
              "parameters": [
                {"$ref": "#/components/parameters/environment"},
        \#(consentNumber)
              ],
              "post": {
                "operationId": "\#(name)OnDevice",
                "tags": ["device"],
                "summary": "\#(summary)",
                "description": "The same answer however often it is asked.",
                "security": [{"deviceToken": []}],
                "responses": {
        \#(answer(200, "Answered, now or before.", "DevicePriceConsent")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(refusal(404, "`priceConsentUnknown`: the account was asked nothing of that number in this app. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(answeredBefore),
        \#(withoutBody)
                }
              }
            }
        """#
    }

    private static let consentNumber = #"""
        \#(numberInPath("PriceConsentNumber"))
        """#

    private static let answeredBefore = refusal(
        409,
        "`priceConsentAnswered`: the other answer was given before, and stands. `priceConsentWithdrawn`: nobody is asked any more."
    )

    static let priceConsentSchemas = #"""
              "PriceConsentNumber": {
                "type": "integer",
                "format": "int64",
                "minimum": 1,
                "maximum": \#(Int64.max)
              },
              "PriceConsentState": {"enum": \#(names(PriceConsentState.allCases.map(\.rawValue)))},
              "AskPriceConsent": {
                "type": "object",
                "required": ["name", "bundleId", "productId", "price"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "bundleId": {"$ref": "#/components/schemas/BundleID"},
                  "productId": {"$ref": "#/components/schemas/Identifier"},
                  "price": {
                    "$ref": "#/components/schemas/Price",
                    "description": "In the currency of the account's storefront."
                  }
                }
              },
        \#(pageSchema(
            "PriceConsents", of: "PriceConsent", in: "priceConsents",
            countMax: Limits.priceConsentsPerAnswerMax)),
              "PriceConsent": {
                "type": "object",
                "required": [
                  "number", "state", "environment", "account", "bundleId", "productId",
                  "oldPriceMilliunits", "newPriceMilliunits", "currency", "askedAt"
                ],
                "properties": {
                  "number": {"$ref": "#/components/schemas/PriceConsentNumber"},
                  "state": {"$ref": "#/components/schemas/PriceConsentState"},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "bundleId": {"$ref": "#/components/schemas/BundleID"},
                  "productId": {"type": "string"},
        \#(consentPrices),
                  "askedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "answeredAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "Absent when nobody answered."
                  },
                  "withdrawnAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "Absent unless it was withdrawn, because the subscription ended or became another."
                  }
                },
                "example": {
                  "account": "buyer@example.com",
                  "askedAt": 1714558830123,
                  "bundleId": "com.example.rocketcar",
                  "currency": "USD",
                  "environment": "sandbox",
                  "newPriceMilliunits": 2990,
                  "number": 1,
                  "oldPriceMilliunits": 1990,
                  "productId": "com.example.rocketcar.club",
                  "state": "pending"
                }
              },
              "DevicePriceConsent": {
                "type": "object",
                "required": [
                  "number", "state", "productId", "oldPriceMilliunits", "newPriceMilliunits",
                  "currency"
                ],
                "properties": {
                  "number": {"$ref": "#/components/schemas/PriceConsentNumber"},
                  "state": {"$ref": "#/components/schemas/PriceConsentState"},
                  "productId": {"type": "string"},
        \#(consentPrices)
                },
                "example": {
                  "currency": "USD",
                  "newPriceMilliunits": 2990,
                  "number": 1,
                  "oldPriceMilliunits": 1990,
                  "productId": "com.example.rocketcar.club",
                  "state": "pending"
                }
              }
        """#

    private static let consentPrices = #"""
                  "oldPriceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "What the account paid when it was asked."
                  },
                  "newPriceMilliunits": {"type": "integer", "format": "int64", "minimum": 1},
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"}
        """#
}
