import StoreModel
import StoreRules

extension StoreDocument {
    static let purchases = #"""
            "/{environment}/device/v1/attempts": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "buy",
                "tags": ["device"],
                "summary": "Buy, under an id that the device made and stored first",
                "description": "The same id with the same body is answered with the attempt's present state, however often it is asked.",
                "security": [{"deviceToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/Attempt"},
                      "example": {
                        "applicationUsername": "driver-7",
                        "attemptId": "11111111-2222-4333-8444-555555555555",
                        "productId": "com.example.rocketcar.fuel",
                        "quantity": 2
                      }
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "Where the attempt stands.",
                    "content": {
                      "application/json": {
                        "schema": {"$ref": "#/components/schemas/AttemptState"}
                      }
                    }
                  },
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`attemptIdReused`: the id was used with another body or account."
                  },
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            },
            "/{environment}/device/v1/transactions": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "get": {
                "operationId": "listUnfinished",
                "tags": ["device"],
                "summary": "Everything unfinished of the account in this app, oldest first",
                "security": [{"deviceToken": []}],
                "responses": {
                  "200": {
                    "description": "The transactions, and where to go on with updates.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Unfinished"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              }
            },
            "/{environment}/device/v1/transactions/{id}/finish": {
              "parameters": [
                {"$ref": "#/components/parameters/environment"},
                {
                  "name": "id",
                  "in": "path",
                  "required": true,
                  "schema": {"$ref": "#/components/schemas/TransactionID"},
                  "example": "2000000000000000"
                }
              ],
              "post": {
                "operationId": "finish",
                "tags": ["device"],
                "summary": "Take a transaction off the queue",
                "description": "The same answer however often it is asked.",
                "security": [{"deviceToken": []}],
                "responses": {
                  "200": {
                    "description": "Finished, now or before.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Finished"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {
                    "$ref": "#/components/responses/Error",
                    "description": "`transactionUnknown`: the account has none of that number in this app. `worldUnknown`, `notFound`: nothing is at this path."
                  },
        \#(withoutBody)
                }
              }
            },
            "/{environment}/device/v1/updates": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "get": {
                "operationId": "getUpdates",
                "tags": ["device"],
                "summary": "What happened since; waits for the first of it",
                "security": [{"deviceToken": []}],
                "parameters": [
                  {
                    "name": "after",
                    "in": "query",
                    "description": "The cursor of the last answer; 0 when absent.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 0
                  },
                  {
                    "name": "wait",
                    "in": "query",
                    "description": "How many seconds to wait for something to happen, \#(Limits.pollSecondsMax) at most; 0 when absent.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 0
                  }
                ],
                "responses": {
                  "200": {
                    "description": "At most \#(Limits.eventsPerAnswerMax) events. None means that the wait ended.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Updates"}}
                    }
                  },
                  "400": {
                    "$ref": "#/components/responses/Error",
                    "description": "`badQuery`: `after` or `wait` is no whole number from 0 up. `badRequest`: the path, the query or a header can be read in two ways."
                  },
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(always)
                }
              }
            }
        """#

    static let purchaseSchemas = #"""
              "Attempt": {
                "type": "object",
                "required": ["attemptId", "productId", "quantity"],
                "properties": {
                  "attemptId": {"$ref": "#/components/schemas/UUID"},
                  "productId": {"$ref": "#/components/schemas/Identifier"},
                  "quantity": {
                    "type": "integer",
                    "format": "int64",
                    "description": "1 to \#(PurchaseRules.quantityMax) is sold, 1 of what is bought once; the answer to another is a refusal.",
                    "minimum": \#(Int64.min),
                    "maximum": \#(Int64.max)
                  },
                  "applicationUsername": {
                    "type": ["string", "null"],
                    "pattern": "^[^\\u0000-\\u001f\\u007f]*$",
                    "maxLength": \#(Limits.identifierBytesMax)
                  }
                }
              },
              "AttemptState": {
                "type": "object",
                "required": ["attemptId", "state", "receiptRevision"],
                "properties": {
                  "attemptId": {"$ref": "#/components/schemas/UUID"},
                  "state": {"enum": \#(names(AttemptState.allCases.map(\.rawValue)))},
                  "transaction": {
                    "$ref": "#/components/schemas/Transaction",
                    "description": "Present when the attempt is done."
                  },
                  "refusal": {
                    "type": "object",
                    "description": "Present when it was refused.",
                    "required": ["code", "message"],
                    "properties": {
                      "code": {
                        "description": "The first that holds, in this order.",
                        "enum": [
                          \#(RefusalCode.allCases.map { "\"\($0)\"" }.joined(separator: ", "))
                        ]
                      },
                      "message": {"type": "string"}
                    }
                  },
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"}
                },
                "example": {
                  "attemptId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                  "receiptRevision": 1,
                  "refusal": {
                    "code": "productUnknown",
                    "message": "The store does not know this product."
                  },
                  "state": "refused"
                }
              },
              "Revision": {
                "type": "integer",
                "format": "int64",
                "description": "Of the account's receipt in this app; fetch it when yours is older.",
                "minimum": 0
              },
              "TransactionID": {
                "type": "string",
                "description": "Below 2^53.",
                "pattern": "^[1-9][0-9]{0,15}$"
              },
              "Transaction": {
                "type": "object",
                "required": [
                  "transactionId", "originalTransactionId", "productId", "quantity",
                  "purchaseDate", "originalPurchaseDate", "attemptId", "deviceGuid"
                ],
                "properties": {
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "originalTransactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "productId": {"type": "string"},
                  "quantity": {"type": "integer", "minimum": 1, "maximum": \#(PurchaseRules.quantityMax)},
                  "purchaseDate": {"$ref": "#/components/schemas/Timestamp"},
                  "originalPurchaseDate": {"$ref": "#/components/schemas/Timestamp"},
                  "attemptId": {"$ref": "#/components/schemas/UUID"},
                  "deviceGuid": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "The device that made the attempt."
                  },
                  "applicationUsername": {"type": "string"}
                },
                "example": {
                  "applicationUsername": "driver-7",
                  "attemptId": "11111111-2222-4333-8444-555555555555",
                  "deviceGuid": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                  "originalPurchaseDate": 1714558830123,
                  "originalTransactionId": "2000000000000000",
                  "productId": "com.example.rocketcar.fuel",
                  "purchaseDate": 1714558830123,
                  "quantity": 2,
                  "transactionId": "2000000000000000"
                }
              },
              "Unfinished": {
                "type": "object",
                "required": ["transactions", "cursor", "receiptRevision"],
                "properties": {
                  "transactions": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/Transaction"}
                  },
                  "cursor": {"type": "integer", "format": "int64", "minimum": 0},
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"}
                }
              },
              "Updates": {
                "type": "object",
                "required": ["events", "cursor", "receiptRevision"],
                "properties": {
                  "events": {
                    "type": "array",
                    "maxItems": \#(Limits.eventsPerAnswerMax),
                    "items": {
                      "type": "object",
                      "required": ["number", "kind", "transaction"],
                      "properties": {
                        "number": {"type": "integer", "format": "int64", "minimum": 1},
                        "kind": {"enum": ["purchased", "finished"]},
                        "transaction": {"$ref": "#/components/schemas/Transaction"}
                      }
                    }
                  },
                  "cursor": {"type": "integer", "format": "int64", "minimum": 0},
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"}
                }
              },
              "Finished": {
                "type": "object",
                "required": ["transactionId", "receiptRevision"],
                "properties": {
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"}
                },
                "example": {"receiptRevision": 2, "transactionId": "2000000000000000"}
              }
        """#
}
