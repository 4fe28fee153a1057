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
                  "transactionId", "transactionIds", "productId", "reason", "revocationDate"
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
                  "revocationDate": {"$ref": "#/components/schemas/Timestamp"}
                },
                "example": {
                  "productId": "com.example.rocketcar.turbo",
                  "reason": "issue",
                  "revocationDate": 1714558830123,
                  "transactionId": "2000000000000000",
                  "transactionIds": ["2000000000000000"]
                }
              }
        """#
}
