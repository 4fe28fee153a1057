import StoreHTTP
import StoreRules
import StoreWire

extension StoreDocument {
    static let waitingPurchases = [
        accountCommand(
            "settings", operation: "setAccount",
            summary: "Set how an account's purchases go",
            description: "What is absent stays as it is. What waits goes on waiting.",
            body: "AccountSettings",
            example: #"{"name": "buyer@example.com", "needsApproval": true}"#),
        accountCommand(
            "resolve", operation: "resolveInterruptions",
            summary: "The person settled what interrupted the account's purchases",
            description:
                "They are made by the rules of this moment and reach the account's devices. A second time there is none left.",
            answered: ("What became of them, oldest first.", "ResolvedPurchases")),
        approvals, approvalAnswer("approve", "Approve a purchase, at the price of this moment"),
        approvalAnswer("decline", "Decline a purchase"),
    ].joined(separator: ",\n")

    private static let approvals = #"""
            "/control/v1/approvals": {
        \#(getPage(
            "listApprovals", in: "accounts",
            "Purchases that wait for somebody's approval, oldest first", as: "Approvals"))
            }
        """#

    private static func approvalAnswer(_ name: String, _ summary: String) -> String {
        #"""
            "/control/v1/approvals/{number}/\#(name)": {
              "parameters": [
        \#(numberInPath("ApprovalNumber"))
              ],
              "post": {
                "operationId": "\#(name)Purchase",
                "tags": ["accounts"],
                "summary": "\#(summary)",
                "description": "The same answer however often it is asked.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "What became of it.", "Approval")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`approvalUnknown`: the world has no request of that number. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`approvalAnswered`: the other answer was given before, and stands.")),
        \#(withoutBody)
                }
              }
            }
        """#
    }

    static let waitingPurchaseSchemas = #"""
              "ApprovalNumber": {
                "type": "integer",
                "format": "int64",
                "minimum": 1,
                "maximum": \#(Int64.max)
              },
              "AccountSettings": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "needsApproval": {
                    "type": ["boolean", "null"],
                    "description": "Whether somebody else approves what it buys."
                  },
                  "interruptsPurchases": {
                    "type": ["boolean", "null"],
                    "description": "Whether its purchases fail in the app until the person has settled something."
                  }
                }
              },
              "ResolvedPurchases": {
                "type": "object",
                "required": ["purchases"],
                "properties": {
                  "purchases": {
                    "type": "array",
                    "maxItems": \#(PurchaseRules.waitingMax),
                    "items": {
                      "type": "object",
                      "required": ["attemptId", "bundleId", "productId", "quantity"],
                      "properties": {
                        "attemptId": {"$ref": "#/components/schemas/UUID"},
                        "bundleId": {"$ref": "#/components/schemas/BundleID"},
                        "productId": {"type": "string"},
                        "quantity": {"type": "integer", "minimum": 1, "maximum": \#(PurchaseRules.quantityMax)},
                        "transactionId": {
                          "$ref": "#/components/schemas/TransactionID",
                          "description": "Present when it was bought."
                        },
                        "refusal": {
                          "$ref": "#/components/schemas/PurchaseRefusal",
                          "description": "Present when the store does not sell it any more."
                        }
                      }
                    }
                  }
                },
                "example": {"purchases": []}
              },
        \#(pageSchema(
            "Approvals", of: "Approval", in: "approvals", countMax: Limits.approvalsPerAnswerMax)),
              "Approval": {
                "type": "object",
                "required": [
                  "number", "state", "environment", "account", "bundleId", "productId",
                  "quantity", "askedAt"
                ],
                "properties": {
                  "number": {"$ref": "#/components/schemas/ApprovalNumber"},
                  "state": {
                    "description": "`refused` was approved, and is not sold by the rules of that moment.",
                    "enum": \#(names(ApprovalBody.State.allCases.map(\.rawValue)))
                  },
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "bundleId": {"$ref": "#/components/schemas/BundleID"},
                  "productId": {"type": "string"},
                  "quantity": {"type": "integer", "minimum": 1, "maximum": \#(PurchaseRules.quantityMax)},
                  "askedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "priceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "What all of it costs now; absent when it is answered or not for sale."
                  },
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "shownPriceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "What the sheet showed to who asked; absent when it showed no price."
                  },
                  "shownCurrency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "transactionId": {
                    "$ref": "#/components/schemas/TransactionID",
                    "description": "Present when it was bought."
                  },
                  "refusal": {
                    "$ref": "#/components/schemas/PurchaseRefusal",
                    "description": "Present when it was declined or refused."
                  }
                },
                "example": {
                  "account": "child@example.com",
                  "askedAt": 1714558830123,
                  "bundleId": "com.example.rocketcar",
                  "currency": "USD",
                  "environment": "sandbox",
                  "number": 1,
                  "priceMilliunits": 990,
                  "productId": "com.example.rocketcar.fuel",
                  "quantity": 1,
                  "state": "pending"
                }
              }
        """#
}
