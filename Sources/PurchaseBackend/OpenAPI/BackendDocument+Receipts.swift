import StoreHTTP
import StoreModel
import StoreWire

extension BackendDocument {
    static let products = #"""
            "/v1/products": {
              "get": {
                "operationId": "listProducts",
                "tags": ["products"],
                "summary": "The identifiers to ask the store about",
                "responses": {
                  "200": {
                    "description": "In the order of the product list.",
                    "content": {
                      "application/json": {
                        "schema": {
                          "type": "object",
                          "required": ["productIdentifiers"],
                          "properties": {
                            "productIdentifiers": {
                              "type": "array",
                              "maxItems": \#(BackendLimits.productsMax),
                              "items": {"type": "string"}
                            }
                          }
                        },
                        "example": {"productIdentifiers": ["coins", "turbo"]}
                      }
                    }
                  },
        \#(withoutBody)
                }
              }
            },
            "/v1/products/{product}/content": {
              "get": {
                "operationId": "getContent",
                "tags": ["products"],
                "summary": "The content again, for a user who owns it",
                "security": [{"userToken": []}],
                "parameters": [
                  {
                    "name": "product",
                    "in": "path",
                    "required": true,
                    "schema": {"$ref": "#/components/schemas/ProductID"},
                    "example": "turbo"
                  }
                ],
                "responses": {
        \#(answer(200, "The content.", "Content")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(refusal(404, "`notFound`: it is not the user's, or has no content.")),
        \#(withoutBody)
                }
              }
            }
        """#

    static let receipts = #"""
            "/v1/receipts": {
              "post": {
                "operationId": "submitReceipt",
                "tags": ["receipts"],
                "summary": "Hand a purchase in",
                "description": "Stored first, then verified with the store. The same submission sent again is answered with what became of it, and grants nothing twice.",
                "security": [{"userToken": []}],
                "requestBody": {
                  "required": true,
                  "x-bodyBytesMax": \#(BackendLimits.receiptBodyMax),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/Submission"},
                      "example": {
                        "appVersion": "1.0",
                        "passThrough": {"level": "3"},
                        "productId": "coins",
                        "receiptData": "MIIT0AYJKoZIhvcNAQcCoIITwTCCE70=",
                        "transactionId": "1000000000000001"
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(200, "Granted, now or before, with the content.", "Outcome")),
        \#(answer(202, "Kept: the store gave no clear answer yet. Do not finish the transaction.", "Outcome")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(answer(403, "Refused with the reason `ownedByAnotherUser`.", "Outcome")),
                  "422": {
                    "description": "Refused with a reason; or the error `badField`, and nothing is stored.",
                    "content": {
                      "application/json": {
                        "schema": {
                          "oneOf": [
                            {"$ref": "#/components/schemas/Outcome"},
                            {"$ref": "#/components/schemas/Error"}
                          ]
                        }
                      }
                    }
                  },
        \#(refusal(429, "`tooManyOpen`: \(BackendLimits.openSubmissionsPerUserMax) receipts of the user wait already, or receipts of more than \(BackendLimits.smallReceiptBytesMax >> 10) KiB of which nothing was granted take all the room there is for them. `tooManyRefused`: \(BackendLimits.refusalsPerUserMax) were refused in the last \(refusalMinutes) minutes. `tooManyRepeated`: \(BackendLimits.repeatsPerUserMax) that were granted before came in the last \(repeatMinutes) minutes.")),
        \#(withBody)
                }
              }
            },
            "/v1/receipts/{submission}": {
              "get": {
                "operationId": "getSubmission",
                "tags": ["receipts"],
                "summary": "What became of a submission, for whoever sent it",
                "security": [{"userToken": []}],
                "parameters": [
                  {
                    "name": "submission",
                    "in": "path",
                    "required": true,
                    "schema": {"$ref": "#/components/schemas/SubmissionID"},
                    "example": "s-000000000000000000000004"
                  }
                ],
                "responses": {
        \#(answer(200, "Its state.", "Outcome")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(refusal(404, "`notFound`: the user sent none of that identifier.")),
        \#(withoutBody)
                }
              }
            },
            "/v1/purchases": {
              "get": {
                "operationId": "listPurchases",
                "tags": ["receipts"],
                "summary": "Everything that was granted to the user, oldest first, and how subscriptions stand",
                "security": [{"userToken": []}],
                "responses": {
        \#(answer(200, "The purchases.", "Purchases")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(withoutBody)
                }
              }
            }
        """#

    /// Stands in three more paths, the operator's.
    static let submissionParameter = #"""
        {
                  "name": "submission",
                  "in": "path",
                  "required": true,
                  "schema": {"$ref": "#/components/schemas/SubmissionID"},
                  "example": "s-000000000000000000000004"
                }
        """#

    private static let repeatMinutes = BackendLimits.repeatWindowMilliseconds / 60_000
    private static let refusalMinutes = BackendLimits.refusalWindowMilliseconds / 60_000

    static let receiptSchemas = #"""
              "ProductID": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
                "minLength": 1,
                "maxLength": \#(BackendLimits.productIDBytesMax)
              },
              "SubmissionID": {"type": "string", "pattern": "^s-[0-9a-f]{24}$"},
              "Submission": {
                "type": "object",
                "required": ["receiptData", "productId", "transactionId", "appVersion"],
                "properties": {
                  "receiptData": {
                    "type": "string",
                    "description": "The app receipt in base64.",
                    "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$",
                    "maxLength": \#(BackendLimits.receiptTextMax)
                  },
                  "productId": {"$ref": "#/components/schemas/ProductID"},
                  "transactionId": {
                    "type": "string",
                    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
                    "minLength": 1,
                    "maxLength": \#(BackendLimits.transactionIDBytesMax)
                  },
                  "appVersion": {
                    "type": "string",
                    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
                    "minLength": 1,
                    "maxLength": \#(BackendLimits.appVersionBytesMax)
                  },
                  "passThrough": {
                    "type": ["object", "null"],
                    "description": "The app's own, given back unchanged with a grant.",
                    "maxProperties": \#(BackendLimits.passThroughFieldsMax),
                    "propertyNames": {"maxLength": \#(BackendLimits.passThroughNameBytesMax)},
                    "additionalProperties": {
                      "type": "string",
                      "maxLength": \#(BackendLimits.passThroughValueBytesMax)
                    }
                  }
                }
              },
              "RefusalReason": {
                "enum": [
                  "storeRefused", "sandboxNotAllowed", "wrongBundle", "wrongVersion",
                  "productUnknown", "transactionNotInReceipt", "notASubscription", "cancelled",
                  "ownedByAnotherUser"
                ]
              },
              "Outcome": {
                "type": "object",
                "required": ["status", "submissionId"],
                "properties": {
                  "status": {
                    "enum": \#(names(ReceiptOutcomeBody.Status.allCases.map(\.rawValue)))
                  },
                  "submissionId": {"$ref": "#/components/schemas/SubmissionID"},
                  "productId": {"type": "string"},
                  "transactionId": {"type": "string"},
                  "content": {
                    "$ref": "#/components/schemas/Content",
                    "description": "Absent for a subscription that is not served."
                  },
                  "subscription": {
                    "$ref": "#/components/schemas/Subscription",
                    "description": "How it stands, when it is a subscription with an end."
                  },
                  "passThrough": {"type": "object", "additionalProperties": {"type": "string"}},
                  "reason": {
                    "$ref": "#/components/schemas/RefusalReason",
                    "description": "With `refused`."
                  },
                  "storeStatus": {
                    "type": "integer",
                    "description": "The store's own, with the reason `storeRefused`."
                  },
                  "message": {"type": "string", "description": "With `refused` and `kept`."}
                },
                "example": {
                  "content": {"data": "MTAw", "mediaType": "text/plain", "name": "100 coins"},
                  "productId": "coins",
                  "status": "granted",
                  "submissionId": "s-000000000000000000000004",
                  "transactionId": "1000000000000001"
                }
              },
              "Content": {
                "type": "object",
                "required": ["name", "mediaType", "data"],
                "properties": {
                  "name": {"type": "string"},
                  "mediaType": {"type": "string"},
                  "data": {"type": "string", "contentEncoding": "base64"}
                }
              },
              "Purchases": {
                "type": "object",
                "required": ["purchases", "subscriptions"],
                "properties": {
                  "subscriptions": {
                    "type": "array",
                    "description": "How every subscription with an end stands, also what ended: each auto-renewable one, and for each service the non-renewing ones together.",
                    "items": {"$ref": "#/components/schemas/Subscription"}
                  },
                  "purchases": {
                    "type": "array",
                    "description": "Without auto-renewable subscriptions.",
                    "items": {
                      "type": "object",
                      "required": [
                        "productId", "kind", "transactionId", "originalTransactionId",
                        "environment", "quantity", "grantedAt"
                      ],
                      "properties": {
                        "productId": {"type": "string"},
                        "kind": {"enum": ["consumable", "nonConsumable", "nonRenewing"]},
                        "transactionId": {"type": "string"},
                        "originalTransactionId": {"type": "string"},
                        "environment": {
                          "enum": \#(names(StoreEnvironment.allCases.map(\.wireName)))
                        },
                        "quantity": {"type": "integer", "minimum": 1},
                        "grantedAt": {"$ref": "#/components/schemas/Timestamp"},
                        "refundedAt": {
                          "$ref": "#/components/schemas/Timestamp",
                          "description": "When the store took the purchase back; it has no content then."
                        },
                        "content": {
                          "type": "object",
                          "required": ["name", "mediaType"],
                          "properties": {
                            "name": {"type": "string"},
                            "mediaType": {"type": "string"}
                          }
                        }
                      }
                    }
                  }
                },
                "example": {
                  "purchases": [
                    {
                      "content": {"mediaType": "text/plain", "name": "100 coins"},
                      "environment": "Production",
                      "grantedAt": 1714558830000,
                      "kind": "consumable",
                      "originalTransactionId": "1000000000000001",
                      "productId": "coins",
                      "quantity": 1,
                      "transactionId": "1000000000000001"
                    }
                  ],
                  "subscriptions": []
                }
              }
        """#
}
