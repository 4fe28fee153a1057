import StoreHTTP
import StoreModel

extension StoreDocument {
    static let redemptions = #"""
            "/{environment}/device/v1/offer-codes/redeem": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "redeemOfferCode",
                "tags": ["device"],
                "summary": "Redeem an offer code, under an id that the device made and stored first",
                "description": "A purchase of the code's product at the price of its offer. The same id with the same code is answered with the attempt's present state, however often it is asked. Nobody is asked for approval.",
                "security": [{"deviceToken": []}],
        \#(requestBody("RedeemOfferCode", example: #"{"attemptId": "11111111-2222-4333-8444-555555555555", "code": "SPRING26"}"#)),
                "responses": {
        \#(answer(200, "Where the attempt stands; its transaction is the present period when the offer begins with the next renewal.", "AttemptState")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(refusal(404, "`offerCodeUnknown`: the app has no such code. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`attemptIdReused`: the id was used with another code or account.")),
                  "422": {"$ref": "#/components/responses/BadField"},
                  "429": {
                    "description": "`tooManyRedemptions`: an account may try \#(Limits.redemptionsAtOnceMax) codes at once and \#(Limits.redemptionsPerMinuteMax) a minute.",
                    "headers": {
                      "Retry-After": {
                        "required": true,
                        "description": "Seconds.",
                        "schema": {"type": "integer", "minimum": 1}
                      }
                    },
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                    }
                  },
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/offer-codes/redeem": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
              "post": {
                "operationId": "redeemForAccount",
                "tags": ["offers"],
                "summary": "Redeem an offer code for an account",
                "description": "As its person would on a device. The same answer to the same account however often it is asked.",
                "security": [{"controlToken": []}],
        \#(requestBody("RedeemForAccount", example: #"{"name": "buyer@example.com", "code": "SPRING26"}"#)),
                "responses": {
        \#(answer(200, "Redeemed, now or before.", "TakenOffer")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`, `accountUnknown`, `offerCodeUnknown`: the app, the account or the code is not there. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`offerRefused`: the rules do not let the account have it; the message says why. `noDevice`: it has no device in the app.")),
        \#(withBody)
                }
              }
            }
        """#

    static let redemptionSchemas = #"""
              "TypedOfferCode": {
                "type": "string",
                "description": "Small letters are the same as capitals. What is no code is answered as an unknown one."
              },
              "RedeemOfferCode": {
                "type": "object",
                "required": ["attemptId", "code"],
                "properties": {
                  "attemptId": {"$ref": "#/components/schemas/UUID"},
                  "code": {"$ref": "#/components/schemas/TypedOfferCode"}
                }
              },
              "RedeemForAccount": {
                "type": "object",
                "required": ["name", "code"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when null or absent.",
                    \#(nullable("Environment"))
                  },
                  "name": {"type": "string"},
                  "code": {"$ref": "#/components/schemas/TypedOfferCode"}
                }
              },
              "TakenOffer": {
                "type": "object",
                "required": ["environment", "account", "productId", "offerId"],
                "properties": {
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "productId": {"type": "string"},
                  "offerId": {"type": "string"},
                  "transactionId": {
                    "$ref": "#/components/schemas/TransactionID",
                    "description": "Absent when the offer begins with the next renewal."
                  }
                },
                "example": {
                  "account": "buyer@example.com",
                  "environment": "sandbox",
                  "offerId": "Spring fair",
                  "productId": "com.example.rocketcar.club",
                  "transactionId": "2000000000000000"
                }
              }
        """#
}
