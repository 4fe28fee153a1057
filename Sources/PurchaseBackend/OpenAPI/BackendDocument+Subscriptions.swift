import StoreHTTP
import StoreModel
import StoreWire

extension BackendDocument {
    static let subscriptions = #"""
            "/operator/v1/subscriptions": {
              "get": {
                "operationId": "lookUpSubscriptions",
                "tags": ["operator"],
                "summary": "Look up auto-renewable subscriptions, those that began last first",
                "description": "By user, transaction or trouble, of which one is needed; all that is given must fit. Other names in the query are refused.",
                "security": [{"operatorToken": []}],
                "parameters": [
                  {
                    "name": "user",
                    "in": "query",
                    "description": "A user's name or identifier.",
                    "schema": {"$ref": "#/components/schemas/UserWord"},
                    "example": "driver"
                  },
                  {
                    "name": "transaction",
                    "in": "query",
                    "description": "The newest transaction, or the original one; histories come with the answer then.",
                    "schema": {"$ref": "#/components/schemas/TransactionWord"},
                    "example": "1000000000000001"
                  },
                  {
                    "name": "trouble",
                    "in": "query",
                    "description": "Those alone whose last check failed.",
                    "schema": {"const": "true"},
                    "example": "true"
                  },
                  {
                    "name": "limit",
                    "in": "query",
                    "description": "How many a page has; \#(BackendLimits.lookupDefault) when absent.",
                    "schema": {"type": "integer", "minimum": 1, "maximum": \#(BackendLimits.lookupMax)},
                    "example": 50
                  },
                  {
                    "name": "after",
                    "in": "query",
                    "description": "The `nextAfter` of the page before.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 1},
                    "example": 50
                  }
                ],
                "responses": {
        \#(answer(200, "A page.", "OperatorSubscriptions")),
                  "401": {"$ref": "#/components/responses/OperatorTokenWrong"},
        \#(refusal(404, "`notFound`: there is no such user.")),
        \#(refusal(422, "`badQuery`: the message says what is wrong with the query.")),
        \#(withoutBody)
                }
              }
            },
            "/operator/v1/subscriptions/{original}/check": {
              "parameters": [
                {
                  "name": "original",
                  "in": "path",
                  "required": true,
                  "description": "An original transaction.",
                  "schema": {"$ref": "#/components/schemas/TransactionWord"},
                  "example": "1000000000000001"
                }
              ],
              "post": {
                "operationId": "checkSubscription",
                "tags": ["operator"],
                "summary": "Have the store asked about a subscription now",
                "security": [{"operatorToken": []}],
                "responses": {
        \#(answer(200, "Due; a worker asks the store.", "OperatorSubscriptions")),
                  "401": {"$ref": "#/components/responses/OperatorTokenWrong"},
        \#(refusal(404, "`notFound`: there is no subscription of that original transaction.")),
        \#(withoutBody)
                }
              }
            }
        """#

    static let subscriptionSchemas = #"""
              "Subscription": {
                "type": "object",
                "description": "Times are by the store's clock.",
                "required": [
                  "productId", "kind", "service", "environment", "state", "isServed", "expires",
                  "inGracePeriod"
                ],
                "properties": {
                  "productId": {"type": "string"},
                  "kind": {"enum": ["autoRenewable", "nonRenewing"]},
                  "service": {
                    "type": "string",
                    "description": "What it gives, by its name in the product list."
                  },
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "state": {
                    "description": "`billingRetry`: the payment failed and is tried again. `unconfirmed`: the period is over, and the store was not reached since.",
                    "enum": \#(names(UserSubscriptionBody.State.allCases.map(\.rawValue)))
                  },
                  "isServed": {
                    "type": "boolean",
                    "description": "Whether the user gets the service: `active` and `gracePeriod`."
                  },
                  "expires": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "The end of the period that is paid; of non-renewing ones, of all that were bought."
                  },
                  "inGracePeriod": {"type": "boolean"},
                  "gracePeriodEnds": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "An estimate, which each answer of the store renews, when the receipt is one of a single transaction, since those are not told it."
                  },
                  "autoRenews": {
                    "type": "boolean",
                    "description": "Absent when the store does not say."
                  },
                  "renewsAs": {"type": "string", "description": "A product."},
                  "reason": {
                    "description": "Why it expired; absent when the store does not say.",
                    "enum": \#(names(SubscriptionState.Reason.allCases.map(\.code)))
                  },
                  "revokedAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "When the store took it back."
                  },
                  "transactionId": {
                    "type": "string",
                    "description": "The newest; absent for non-renewing ones, of which several make one."
                  },
                  "originalTransactionId": {"type": "string"}
                },
                "example": {
                  "autoRenews": true,
                  "environment": "Production",
                  "expires": 1717237230000,
                  "inGracePeriod": false,
                  "isServed": true,
                  "kind": "autoRenewable",
                  "originalTransactionId": "1000000000000001",
                  "productId": "gold.month",
                  "renewsAs": "gold.month",
                  "service": "gold",
                  "state": "active",
                  "transactionId": "1000000000000001"
                }
              },
              "OperatorSubscription": {
                "type": "object",
                "required": [
                  "userId", "userName", "subscription", "periodBegan", "answeredAt", "checkedAt",
                  "quietChecks", "failures", "receipt"
                ],
                "properties": {
                  "userId": {"type": "string"},
                  "userName": {"type": "string"},
                  "subscription": {"$ref": "#/components/schemas/Subscription"},
                  "periodBegan": {"$ref": "#/components/schemas/Timestamp"},
                  "answeredAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "The store's clock when it said all that."
                  },
                  "checkedAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "When that was by the backend's clock."
                  },
                  "nextCheckAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the backend's clock. Absent when nothing more happens by itself."
                  },
                  "quietChecks": {
                    "$ref": "#/components/schemas/Count",
                    "description": "In a row that brought nothing new."
                  },
                  "failures": {
                    "$ref": "#/components/schemas/Count",
                    "description": "Checks in a row to which the store said nothing of it."
                  },
                  "trouble": {"type": "string", "description": "Why the last check failed."},
                  "receipt": {
                    "type": "object",
                    "description": "The newest, with which the store is asked.",
                    "required": ["sha256", "byteCount", "style"],
                    "properties": {
                      "sha256": {"$ref": "#/components/schemas/Digest"},
                      "byteCount": {"$ref": "#/components/schemas/Count"},
                      "style": {"enum": ["unified", "transaction"]}
                    }
                  },
                  "history": {
                    "type": "array",
                    "description": "Oldest first; only when looked up by transaction.",
                    "maxItems": \#(BackendLimits.historyMax),
                    "items": {"$ref": "#/components/schemas/SubscriptionEvent"}
                  },
                  "historyLeftOut": {
                    "type": "integer",
                    "description": "How many older entries there are.",
                    "minimum": 1
                  }
                }
              },
              "SubscriptionEvent": {
                "type": "object",
                "required": [
                  "at", "storeAt", "event", "requestId", "productId", "transactionId", "expires"
                ],
                "properties": {
                  "at": {"$ref": "#/components/schemas/Timestamp"},
                  "storeAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the store's clock."
                  },
                  "event": {
                    "enum": \#(names(SubscriptionEvent.allCases.map(\.rawValue)))
                  },
                  "requestId": {"type": "string"},
                  "productId": {"type": "string"},
                  "transactionId": {"type": "string"},
                  "expires": {"$ref": "#/components/schemas/Timestamp"}
                }
              },
              "OperatorSubscriptions": {
                "type": "object",
                "required": ["subscriptions"],
                "properties": {
                  "subscriptions": {
                    "type": "array",
                    "maxItems": \#(BackendLimits.lookupMax),
                    "items": {"$ref": "#/components/schemas/OperatorSubscription"}
                  },
                  "nextAfter": {
                    "type": "string",
                    "description": "Goes into `after` for the next page; absent on the last."
                  }
                }
              }
        """#
}
