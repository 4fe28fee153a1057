import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let reviews = #"""
            "/control/v1/apps/{app}/products/{product}/state": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"}
              ],
              "put": {
                "operationId": "setSaleState",
                "tags": ["reviews"],
                "summary": "Review a product, or take it off sale and back",
                "description": "The same wish twice is one decision.",
                "security": [{"controlToken": []}],
        \#(requestBody("SetSaleState", example: #"{"state": "removedFromSale"}"#)),
                "responses": {
                  "200": {"$ref": "#/components/responses/ChangedProduct"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/ProductUnknown"},
        \#(refusal(409, "`stateNotAllowed`: there is no way there from its state; the message says which. `tooManyChanges`: \(PropagationRules.versionsMax) changes of the product are on their way.")),
        \#(refusal(422, "`reasonMissing`, `noteMissing`: a rejection needs a reason, and for `other` a note. `reasonNotWanted`: only a rejection has one. `badField`: the note is empty, too long or has control characters.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/reviews": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
              "get": {
                "operationId": "listReviews",
                "tags": ["reviews"],
                "summary": "What was decided of an app's products, oldest first",
                "security": [{"controlToken": []}],
                "parameters": [
                  {
                    "name": "product",
                    "in": "query",
                    "description": "Of this product only.",
                    "schema": {"$ref": "#/components/schemas/Identifier"},
                    "example": "com.example.rocketcar.fuel"
                  },
        \#(after)
                ],
                "responses": {
        \#(answer(200, "A page of the history.", "Reviews")),
        \#(afterRefused),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(always)
                }
              }
            },
            "/control/v1/policy": {
        \#(get(
            "getPolicy", in: "reviews", "What may be sold, clause by clause",
            gives: "The clauses that a rejection can name.", as: "Policy"))
            }
        """#

    static let reviewSchemas = #"""
              "SaleState": {
                "description": "The store sells what is `clearedForSale` only. `pendingApproval`: waits for review.",
                "enum": \#(names(SaleState.allCases.map(\.rawValue)))
              },
              "RejectionReason": {
                "description": "A clause of the policy, or `other` with a note.",
                "enum": \#(names(RejectionReason.allCases.map(\.rawValue)))
              },
              "SetSaleState": {
                "type": "object",
                "required": ["state"],
                "properties": {
                  "state": {"$ref": "#/components/schemas/SaleState"},
                  "reason": {
                    "description": "With `rejected` only, and needed there.",
                    \#(nullable("RejectionReason"))
                  },
                  "note": {
                    "description": "Needed with the reason `other`. Without control characters.",
                    "type": ["string", "null"],
                    "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                    "minLength": 1,
                    "maxLength": \#(Limits.reviewNoteBytesMax)
                  }
                }
              },
              "Reviews": {
                "type": "object",
                "required": ["reviews"],
                "properties": {
                  "reviews": {
                    "type": "array",
                    "maxItems": \#(Limits.reviewsPerAnswerMax),
                    "items": {"$ref": "#/components/schemas/Review"}
                  },
                  "next": {
                    "type": "integer",
                    "format": "int64",
                    "description": "What `after` takes for the next page; absent on the last.",
                    "minimum": 1
                  }
                }
              },
              "Review": {
                "type": "object",
                "required": ["number", "productId", "step", "state", "at"],
                "properties": {
                  "number": {"type": "integer", "format": "int64", "minimum": 1},
                  "productId": {"type": "string"},
                  "step": {"enum": \#(names(ReviewStep.allCases.map(\.rawValue)))},
                  "state": {
                    "$ref": "#/components/schemas/SaleState",
                    "description": "The one it led to."
                  },
                  "reason": {"$ref": "#/components/schemas/RejectionReason"},
                  "note": {"type": "string"},
                  "at": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the world's clock."
                  }
                },
                "example": {
                  "at": 1714558830123,
                  "note": "It has no text.",
                  "number": 5,
                  "productId": "com.example.rocketcar.fuel",
                  "reason": "other",
                  "state": "rejected",
                  "step": "rejected"
                }
              },
              "Policy": {
                "type": "object",
                "required": ["clauses"],
                "properties": {
                  "clauses": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["reason", "text"],
                      "properties": {
                        "reason": {"$ref": "#/components/schemas/RejectionReason"},
                        "text": {"type": "string"}
                      }
                    }
                  }
                }
              }
        """#
}
