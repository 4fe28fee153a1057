import StoreHTTP
import StoreModel

extension StoreDocument {
    static let revocations = #"""
            "/control/v1/transactions/{id}/revoke": {
              "parameters": [
        \#(inPath("id", "TransactionID", example: "2000000000000000"))
              ],
              "post": {
                "operationId": "revokeTransaction",
                "tags": ["accounts"],
                "summary": "Take a purchase back",
                "description": "What is owned once goes as a whole, with every transaction that counts as it. The receipt says so, and apps are told. So it is with what a family has of it. The same answer however often it is asked. What the purchase cost stays as it was recorded, and what the ledger was charged for it goes back.",
                "security": [{"controlToken": []}],
        \#(requestBody("Revoke", example: #"{"reason": "issue"}"#)),
                "responses": {
        \#(answer(200, "Taken back, now or before.", "Revoked")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`transactionUnknown`: the world has none of that number. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`revokedBefore`: it was taken back with another reason. `transactionShared`: a family member bought it; the message names that transaction.")),
        \#(withBody)
                }
              }
            }
        """#

    static let revocationSchemas = #"""
              "Revoke": {
                "type": "object",
                "required": ["reason"],
                "properties": {"reason": {"$ref": "#/components/schemas/RevocationReason"}}
              },
              "RevocationReason": {
                "description": "`issue`: an actual or supposed fault of the app.",
                "enum": \#(names(Revocation.Reason.allCases.map(\.rawValue)))
              },
              "Revoked": {
                "type": "object",
                "required": [
                  "transactionId", "transactionIds", "productId", "reason", "revocationDate",
                  "refunds"
                ],
                "properties": {
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "transactionIds": {
                    "type": "array",
                    "description": "With it every transaction that counts as the same purchase.",
                    "minItems": 1,
                    "items": {"$ref": "#/components/schemas/TransactionID"}
                  },
                  "productId": {"type": "string"},
                  "reason": {"$ref": "#/components/schemas/RevocationReason"},
                  "revocationDate": {"$ref": "#/components/schemas/Timestamp"},
                  "refunds": {
                    "type": "array",
                    "description": "The money that went back with it, of each transaction that had been charged any.",
                    "items": {"$ref": "#/components/schemas/RevokedMoney"}
                  }
                },
                "example": {
                  "productId": "com.example.rocketcar.turbo",
                  "reason": "issue",
                  "refunds": [],
                  "revocationDate": 1714558830123,
                  "transactionId": "2000000000000000",
                  "transactionIds": ["2000000000000000"]
                }
              },
              "RevokedMoney": {
                "type": "object",
                "description": "In thousandths: to the account's credit, and out again through the payment provider.",
                "required": [
                  "transactionId", "currency", "creditMilliunits", "providerMilliunits"
                ],
                "properties": {
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "creditMilliunits": {"type": "integer", "format": "int64", "minimum": 0},
                  "providerMilliunits": {"type": "integer", "format": "int64", "minimum": 0}
                }
              }
        """#
}
