import StoreHTTP
import StoreWire

extension StoreDocument {
    static let transactionReceipts = #"""
            "/{environment}/device/v1/transaction-receipts": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "getTransactionReceipts",
                "tags": ["device"],
                "summary": "Receipts of single transactions of the account in this app",
                "description": "In the style of before iOS 7. The transactions may be finished.",
                "security": [{"deviceToken": []}],
        \#(requestBody("AskTransactionReceipts", example: #"{"transactionIds": ["2000000000000000"]}"#)),
                "responses": {
        \#(answer(200, "In the order asked, without those that the account does not have.", "TransactionReceipts")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            }
        """#

    static let transactionReceiptSchemas = #"""
              "AskTransactionReceipts": {
                "type": "object",
                "required": ["transactionIds"],
                "properties": {
                  "transactionIds": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": \#(TransactionReceiptsRequestBody.transactionsMax),
                    "items": {"$ref": "#/components/schemas/TransactionID"}
                  }
                }
              },
              "TransactionReceipts": {
                "type": "object",
                "required": ["receipts"],
                "properties": {
                  "receipts": {
                    "type": "array",
                    "maxItems": \#(TransactionReceiptsRequestBody.transactionsMax),
                    "items": {
                      "type": "object",
                      "required": ["transactionId", "receipt"],
                      "properties": {
                        "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                        "receipt": {"type": "string", "contentEncoding": "base64"}
                      }
                    }
                  }
                }
              }
        """#
}
