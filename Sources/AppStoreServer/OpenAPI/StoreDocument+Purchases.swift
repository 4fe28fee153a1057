import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

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
                "parameters": [
                  {
                    "name": "receipts",
                    "in": "query",
                    "description": "Whether the answer brings the receipts along once the attempt is done.",
                    "schema": {"enum": ["true", "false"]},
                    "example": "true"
                  }
                ],
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
        \#(answer(200, "Where the attempt stands.", "AttemptState")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`attemptIdReused`: the id was used with another body or account.")),
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(refusal(400, "`badQuery`: `receipts` is neither true nor false. `badBody`: the body is not as described; the message says where. `badRequest`: the path, the query or a header can be read in two ways.", as: "BadBody")),
        \#(always)
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
        \#(answer(200, "The transactions, and where to go on with updates.", "Unfinished")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              }
            },
            "/{environment}/device/v1/transactions/{id}/finish": {
              "parameters": [
                {"$ref": "#/components/parameters/environment"},
        \#(inPath("id", "TransactionID", example: "2000000000000000"))
              ],
              "post": {
                "operationId": "finish",
                "tags": ["device"],
                "summary": "Take a transaction off the queue",
                "description": "The same answer however often it is asked.",
                "security": [{"deviceToken": []}],
                "responses": {
        \#(answer(200, "Finished, now or before.", "Finished")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(refusal(404, "`transactionUnknown`: the account has none of that number in this app. `worldUnknown`, `notFound`: nothing is at this path.")),
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
        \#(after("The cursor of the last answer; 0 when absent.")),
                  {
                    "name": "wait",
                    "in": "query",
                    "description": "How many seconds to wait for something to happen, \#(Limits.pollSecondsMax) at most; 0 when absent.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 0
                  }
                ],
                "responses": {
        \#(answer(200, "At most \(Limits.eventsPerAnswerMax) events. None means that the wait ended.", "Updates")),
        \#(refusal(400, "`badQuery`: `after` or `wait` is no whole number from 0 up. `badRequest`: the path, the query or a header can be read in two ways.")),
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
                  },
                  "shownPriceMilliunits": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "What the sheet showed for the whole quantity; with its currency, or not at all. The store charges this or refuses.",
                    "minimum": 0,
                    "maximum": \#(Int64.max)
                  },
                  "shownCurrency": {"type": ["string", "null"], "pattern": "^[A-Z]{3}$"},
                  "simulatesAskToBuy": {
                    "type": ["boolean", "null"],
                    "description": "Whether to ask for approval all the same; the sandbox does."
                  },
                  "discount": {
                    "description": "The promotional offer that it makes use of.",
                    "oneOf": [{"$ref": "#/components/schemas/Discount"}, {"type": "null"}]
                  }
                },
                "dependentRequired": {
                  "shownPriceMilliunits": ["shownCurrency"],
                  "shownCurrency": ["shownPriceMilliunits"]
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
                    "$ref": "#/components/schemas/PurchaseRefusal",
                    "description": "Present when it was refused."
                  },
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"},
                  "receipts": {
                    "type": "object",
                    "description": "Present when it was asked for and is done, as a rule; fetch them otherwise.",
                    "required": ["receipt", "revision", "transactionReceipt"],
                    "properties": {
                      "receipt": {"type": "string", "contentEncoding": "base64"},
                      "revision": {"$ref": "#/components/schemas/Revision"},
                      "transactionReceipt": {"type": "string", "contentEncoding": "base64"}
                    }
                  }
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
              "PurchaseRefusal": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                  "code": {
                    "description": "The first that holds, in this order.",
                    "enum": [
                      \#(RefusalCode.allCases.map { "\"\($0)\"" }.joined(separator: ", "))
                    ]
                  },
                  "message": {"type": "string"}
                },
                "example": {
                  "code": "productUnknown",
                  "message": "The store does not know this product."
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
                  "attemptId": {
                    "description": "The attempt or the restore it came from; of what renewed by itself, its own number; of an offer that the owner took for the account, the code's or the last period's.",
                    "anyOf": [
                      {"$ref": "#/components/schemas/UUID"},
                      {"type": "string", "pattern": "^(renewal|offer-code/[0-9]+|win-back)/[0-9]+$"}
                    ]
                  },
                  "deviceGuid": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "The device that made the attempt or asked to restore."
                  },
                  "applicationUsername": {"type": "string"},
                  "original": {
                    "$ref": "#/components/schemas/Original",
                    "description": "Present when it gives a purchase back."
                  },
                  "downloads": {
                    "type": "array",
                    "description": "Content to fetch before it is finished; absent when there is none.",
                    "items": {"$ref": "#/components/schemas/Download"}
                  },
                  "isFinished": {
                    "type": "boolean",
                    "description": "True when nobody need deliver it any more: it is finished, on whatever device, or was taken back. Absent while it waits."
                  }
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
                  "receiptRevision": {"$ref": "#/components/schemas/Revision"},
                  "priceConsents": {
                    "type": "array",
                    "description": "Prices that the account has not answered; absent when there are none.",
                    "minItems": 1,
                    "maxItems": \#(PriceConsentRules.pendingMax),
                    "items": {"$ref": "#/components/schemas/DevicePriceConsent"}
                  }
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
                      "required": ["number", "kind"],
                      "properties": {
                        "number": {"type": "integer", "format": "int64", "minimum": 1},
                        "kind": {"enum": \#(names(UpdateBody.Kind.allCases.map(\.rawValue)))},
                        "transaction": {
                          "$ref": "#/components/schemas/Transaction",
                          "description": "Present when it is of a transaction."
                        },
                        "subject": {
                          "type": "string",
                          "description": "What else it is of: of `declined` the attempt's id."
                        },
                        "priceConsent": {
                          "$ref": "#/components/schemas/DevicePriceConsent",
                          "description": "Of `priceConsent`: as it is now."
                        }
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
