import StoreHTTP
import StoreModel
import StoreWire

extension StoreDocument {
    static let subscriptions = [
        subscriptionLists,
        subscriptionChange(
            "renew", "The next period begins now",
            body: requestBody("RenewSubscription", example: "{}", isRequired: false),
            refusing: conflicts, field: "`badField`: no transaction has such a number"),
        subscriptionChange("expire", "The period ends now, and none follows", refusing: ended),
        subscriptionChange("cancel", "Its person turns renewal off", refusing: ended),
        subscriptionChange("resume", "Its person turns renewal on", refusing: ended),
        subscriptionChange("fail-billing", "Its payments fail from now on"),
        subscriptionChange(
            "recover", "Its payments succeed again; what is owed is tried at once"),
        subscriptionChange(
            "choose", "Another product of its group at the renewal; the present one takes it back",
            body: requestBody(
                "ChooseSubscription", example: #"{"productId": "com.example.rocketcar.gold"}"#),
            refusing:
                "`subscriptionEnded`, `otherGroup`: the product is none of its group. "
                + "`productNotForSale`: nobody can buy it now.",
            unknown: "`productUnknown`: the app has no such product. "),
        subscriptionChange(
            "extend", "Its period ends so many days later",
            body: requestBody("ExtendSubscription", example: #"{"days": 10}"#),
            refusing:
                "`subscriptionNotActive`: its payment is owed, or it ended. " + changed,
            field: "`badField`: days is 1 to \(ExtendSubscriptionBody.daysMax)"),
        subscriptionChange(
            "price-increase", "A higher price from the renewal on",
            body: requestBody(
                "IncreaseSubscriptionPrice", example: #"{"needsConsent": true, "price": "12.99"}"#),
            refusing:
                "`subscriptionEnded`, `noPriceIncrease`: it is not above the present price. "
                + "`otherPricePending`: the person is asked about another one.",
            field: "`badPrice`: the price is none"),
        subscriptionChange(
            "win-back", "Its person takes an offer that wins back: a period begins at once",
            body: requestBody("TakeWinBack", example: #"{"offerId": "come-back"}"#),
            refusing:
                "`offerRefused`: it has no such offer, or goes on; the message says why."),
        winBacks,
        gracePeriod,
    ].joined(separator: ",\n")

    private static let ended = "`subscriptionEnded`: nothing of it can be changed any more."

    private static let conflicts =
        "`subscriptionNotActive`: its payment is owed, or it ended. `subscriptionJustBegun`: its "
        + "period begins at this very moment. `subscriptionNotRenewed`: its product is not for sale, "
        + "it has renewed as often as the pace lets it, or the receipt is full. " + changed

    private static let changed =
        "`subscriptionChanged`: it is not as the body expects; nothing was done."

    private static let subscriptionLists = #"""
            "/control/v1/subscriptions": {
        \#(getPage(
            "listSubscriptions", in: "subscriptions",
            "Every subscription of the world, oldest first", as: "Subscriptions"))
            },
            "/control/v1/subscriptions/{original}": {
              "parameters": [\#(subscriptionParameter)],
        \#(get(
            "getSubscription", in: "subscriptions", "One of them", gives: "As it is now.",
            as: "Subscription", unknown: refusal(404, subscriptionUnknown)))
            }
        """#

    static let subscriptionUnknown =
        "`subscriptionUnknown`: none began with that transaction. `worldUnknown`, `notFound`: "
        + "nothing is at this path."

    static let subscriptionParameter = #"""
        {
          "name": "original",
          "in": "path",
          "required": true,
          "description": "The number of its first transaction.",
          "schema": {"$ref": "#/components/schemas/TransactionID"},
          "example": "2000000000000000"
        }
        """#

    private static func subscriptionChange(
        _ verb: String, _ summary: String, body: String? = nil, refusing conflict: String? = nil,
        field: String? = nil, unknown: String = ""
    ) -> String {
        let name = verb.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
        let refusals = [
            conflict.map { refusal(409, $0) }, field.map { refusal(422, "\($0).") },
        ].compactMap { $0 }.map { $0 + ",\n" }.joined()
        return #"""
                "/control/v1/subscriptions/{original}/\#(verb)": {
                  "parameters": [\#(subscriptionParameter)],
                  "post": {
                    "operationId": "subscription\#(name)",
                    "tags": ["subscriptions"],
                    "summary": "\#(summary)",
                    "description": "What was due is done before.",
                    "security": [{"controlToken": []}],
            \#(body.map { $0 + ",\n" } ?? "")        "responses": {
            \#(answer(200, "As it is now.", "Subscription")),
                      "401": {"$ref": "#/components/responses/ControlTokenWrong"},
            \#(refusal(404, unknown + subscriptionUnknown)),
            \#(refusals)\#(body == nil ? withoutBody : withBody)
                    }
                  }
                }
            """#
    }

    private static let gracePeriod = #"""
            "/control/v1/apps/{app}/grace-period": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
              "put": {
                "operationId": "setGracePeriod",
                "tags": ["subscriptions"],
                "summary": "For how long an app serves who did not pay",
                "security": [{"controlToken": []}],
        \#(requestBody("GracePeriod", example: #"{"days": 16}"#)),
                "responses": {
        \#(answer(200, "As it is now.", "GracePeriod")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`: the world has none of that identifier. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(422, "`badField`: not so many days.")),
        \#(withBody)
                }
              }
            }
        """#

    static let subscriptionSchemas = #"""
        \#(pageSchema(
            "Subscriptions", of: "Subscription", in: "subscriptions",
            countMax: Limits.subscriptionsPerAnswerMax)),
              "Subscription": {
                "type": "object",
                "required": [
                  "originalTransactionId", "environment", "account", "bundleId", "group",
                  "productId", "state", "transactionId", "startDate", "expiresDate", "autoRenews",
                  "priceMilliunits", "currency", "failsBilling", "renewals"
                ],
                "properties": {
                  "originalTransactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "bundleId": {"type": "string"},
                  "group": {"type": "string"},
                  "productId": {"type": "string"},
                  "state": {
                    "enum": \#(names(Subscription.Phase.Name.allCases.map(\.rawValue)))
                  },
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "startDate": {"$ref": "#/components/schemas/Timestamp"},
                  "expiresDate": {"$ref": "#/components/schemas/Timestamp"},
                  "expirationReason": {"type": "integer", "minimum": 1, "maximum": 5},
                  "gracePeriodExpiresDate": {"$ref": "#/components/schemas/Timestamp"},
                  "nextPaymentDate": {"$ref": "#/components/schemas/Timestamp"},
                  "autoRenews": {"type": "boolean"},
                  "autoRenewProductId": {"type": "string"},
                  "priceMilliunits": {"type": "integer", "format": "int64", "minimum": 0},
                  "currency": {"type": "string"},
                  "offer": {
                    "type": "object",
                    "description": "Of the present period.",
                    "required": ["kind", "paymentMode", "periodsLeft"],
                    "properties": {
                      "kind": {"enum": \#(names(SubscriptionOffer.Kind.allCases.map(\.rawValue)))},
                      "offerId": {"type": "string"},
                      "paymentMode": {
                        "enum": \#(names(SubscriptionOffer.PaymentMode.allCases.map(\.rawValue)))
                      },
                      "periodsLeft": {"type": "integer", "minimum": 0}
                    }
                  },
                  "renewalPriceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "Of the next renewal, with its offer; absent when it does not renew, or as what is not for sale."
                  },
                  "renewalCurrency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "priceIncrease": {
                    "type": "object",
                    "required": ["priceMilliunits", "consent"],
                    "properties": {
                      "priceMilliunits": {"type": "integer", "format": "int64", "minimum": 0},
                      "consent": {
                        "enum": \#(names(Subscription.PriceIncrease.Consent.allCases.map(\.rawValue)))
                      }
                    }
                  },
                  "failsBilling": {
                    "type": "boolean",
                    "description": "Whether its payments are made to fail."
                  },
                  "paymentId": {
                    "type": "string",
                    "description": "The payment whose answer it waits for before anything else happens to it, also when its period is over; absent when it waits for none."
                  },
                  "renewals": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Since it was bought by hand."
                  }
                }
              },
              "ChooseSubscription": {
                "type": "object",
                "required": ["productId"],
                "properties": {"productId": {"type": "string"}}
              },
              "RenewSubscription": {
                "type": "object",
                "properties": {
                  "expectedTransactionId": {
                    "type": ["string", "null"],
                    "pattern": "^[1-9][0-9]{0,15}$",
                    "description": "The newest period as it was seen: with another one by now, nothing is done, so that the request can be sent twice."
                  }
                }
              },
              "ExtendSubscription": {
                "type": "object",
                "required": ["days"],
                "properties": {
                  "expectedExpiresDate": {
                    "anyOf": [{"$ref": "#/components/schemas/Timestamp"}, {"type": "null"}],
                    "description": "The end of the period as it was seen: with another one by now, nothing is done, so that the request can be sent twice."
                  },
                  "days": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": \#(ExtendSubscriptionBody.daysMax)
                  }
                }
              },
              "IncreaseSubscriptionPrice": {
                "type": "object",
                "required": ["price", "needsConsent"],
                "properties": {
                  "price": {"type": "string", "description": "A decimal, in its currency."},
                  "needsConsent": {
                    "type": "boolean",
                    "description": "Whether it ends unless its person agrees."
                  }
                }
              },
              "GracePeriod": {
                "type": "object",
                "properties": {
                  "days": {
                    "description": "Null or absent for none.",
                    "enum": [\#(GracePeriod.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")), null]
                  }
                },
                "example": {"days": 16}
              }
        """#
}
