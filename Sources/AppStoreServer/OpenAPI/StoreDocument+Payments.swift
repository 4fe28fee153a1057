import StoreHTTP
import StoreModel

extension StoreDocument {
    static let payments = #"""
            "/control/v1/payments": {
              "get": {
                "operationId": "listPayments",
                "tags": ["money"],
                "summary": "What the payment provider was asked, in the order of its first requests",
                "security": [{"controlToken": []}],
                "parameters": [
                  {
                    "name": "after",
                    "in": "query",
                    "description": "The `next` of the page before; 0 when absent.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 0
                  },
                  {
                    "name": "state",
                    "in": "query",
                    "description": "Those in one state; all when absent.",
                    "schema": {"enum": \#(names(Payment.State.allCases.map(\.rawValue)))},
                    "example": "failed"
                  }
                ],
                "responses": {
        \#(answer(200, "A page of them.", "Payments")),
        \#(refusal(400, "`badQuery`: `after` is no whole number from 0 up, or there is no such state. `badRequest`: the path, the query or a header can be read in two ways.")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(always)
                }
              }
            }
        """#

    static let paymentSchemas = #"""
              "Payments": {
                "type": "object",
                "required": ["payments"],
                "properties": {
                  "payments": {
                    "type": "array",
                    "maxItems": \#(Limits.paymentsPerAnswerMax),
                    "items": {"$ref": "#/components/schemas/Payment"}
                  },
                  "next": {
                    "type": "integer",
                    "format": "int64",
                    "description": "Where the next page goes on; absent on the last."
                  }
                },
                "example": {"payments": []}
              },
              "Payment": {
                "type": "object",
                "required": [
                  "paymentId", "purpose", "environment", "account", "bundleId", "productId",
                  "state", "amountMilliunits", "currency", "askDate", "tries", "refunds"
                ],
                "properties": {
                  "paymentId": {"type": "string", "format": "uuid"},
                  "purpose": {"enum": ["purchase", "renewal"]},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "bundleId": {"type": "string"},
                  "productId": {"type": "string"},
                  "state": {"enum": \#(names(Payment.State.allCases.map(\.rawValue)))},
                  "amountMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "description": "What credit lacked.",
                    "minimum": 1
                  },
                  "capturedMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "description": "What of it was taken for the sale.",
                    "minimum": 1
                  },
                  "currency": {"type": "string"},
                  "askDate": {"$ref": "#/components/schemas/Timestamp"},
                  "tries": {
                    "type": "integer",
                    "description": "Requests for what is asked now that were not answered.",
                    "minimum": 0
                  },
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "reference": {"type": "string", "description": "The provider's name for it."},
                  "reason": {"type": "string", "description": "Why the provider said no."},
                  "refunds": {
                    "type": "array",
                    "description": "What of it goes back, oldest first.",
                    "items": {
                      "type": "object",
                      "required": ["refundId", "state", "amountMilliunits"],
                      "properties": {
                        "refundId": {"type": "string", "format": "uuid"},
                        "state": {"enum": \#(names(PaymentRefund.State.allCases.map(\.rawValue)))},
                        "amountMilliunits": {"type": "integer", "format": "int64", "minimum": 1},
                        "reason": {"type": "string"}
                      }
                    }
                  }
                }
              }
        """#
}
