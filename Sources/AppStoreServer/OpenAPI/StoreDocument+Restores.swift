import StoreHTTP
import StoreWire

extension StoreDocument {
    static let restores = #"""
            "/{environment}/device/v1/restores": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "restorePurchases",
                "tags": ["device"],
                "summary": "Give back what the account owns, a page at a time",
                "description": "Every finished non-consumable and every finished period of a subscription comes back in a new transaction, of this device, which costs nothing and is unfinished. A restore and a position answer the same transactions however often they are asked.",
                "security": [{"deviceToken": []}],
        \#(requestBody("AskRestore", example: #"{"restoreId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"}"#)),
                "responses": {
        \#(answer(200, "In the order in which they were bought; perhaps none, even before the last page.", "Restored")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`restoreIdReused`: the id was used for another account or user name. `tooManyRestored`: \(Limits.restoredUnfinishedMax) restored transactions wait to be finished on this device.")),
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            }
        """#

    static let restoreSchemas = #"""
              "AskRestore": {
                "type": "object",
                "required": ["restoreId"],
                "properties": {
                  "restoreId": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "Made by the device for one restore."
                  },
                  "applicationUsername": {
                    "type": ["string", "null"],
                    "description": "Only what was bought under this name; everything when absent or empty.",
                    "pattern": "^[^\\u0000-\\u001f\\u007f]*$",
                    "maxLength": \#(Limits.identifierBytesMax)
                  },
                  "after": {
                    "type": ["string", "null"],
                    "description": "The `next` of the page before; absent for the first.",
                    "pattern": "^[1-9][0-9]{0,15}$"
                  }
                }
              },
              "Restored": {
                "type": "object",
                "required": ["transactions", "receiptRevision"],
                "properties": {
                  "transactions": {
                    "type": "array",
                    "maxItems": \#(RestoreRequestBody.transactionsMax),
                    "items": {"$ref": "#/components/schemas/Transaction"}
                  },
                  "next": {
                    "type": "string",
                    "description": "Where to go on; absent when this was the last page."
                  },
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"}
                }
              },
              "Original": {
                "type": "object",
                "description": "The first purchase of what counts as the same.",
                "required": ["transactionId", "productId", "quantity", "purchaseDate"],
                "properties": {
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "productId": {"type": "string"},
                  "quantity": {"type": "integer", "minimum": 1},
                  "purchaseDate": {"$ref": "#/components/schemas/Timestamp"},
                  "applicationUsername": {"type": "string"}
                }
              }
        """#
}
