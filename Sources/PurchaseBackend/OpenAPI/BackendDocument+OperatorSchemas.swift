import StoreModel
import StoreWire

extension BackendDocument {
    static let operatorSchemas = #"""
              "UserWord": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
                "minLength": 1,
                "maxLength": \#(BackendLimits.lookupWordBytesMax)
              },
              "TransactionWord": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
                "minLength": 1,
                "maxLength": \#(BackendLimits.lookupWordBytesMax)
              },
              "Digest": {
                "type": "string",
                "description": "A SHA-256.",
                "pattern": "^[0-9A-Fa-f]{64}$"
              },
              "SubmissionState": {
                "description": "`stalled`: kept, and not tried again by itself any more.",
                "enum": \#(names(OperatorSubmissionBody.State.allCases.map(\.rawValue)))
              },
              "Environment": {"enum": \#(names(StoreEnvironment.allCases.map(\.wireName)))},
              "Count": {"type": "integer", "minimum": 0},
              "OperatorSubmission": {
                "type": "object",
                "required": [
                  "submissionId", "userId", "userName", "productId", "transactionId",
                  "appVersion", "state", "receipt", "receivedAt", "changedAt", "timesReceived",
                  "tries"
                ],
                "properties": {
                  "submissionId": {"$ref": "#/components/schemas/SubmissionID"},
                  "userId": {"type": "string"},
                  "userName": {"type": "string"},
                  "productId": {"type": "string", "description": "As the app said."},
                  "transactionId": {"type": "string"},
                  "appVersion": {"type": "string"},
                  "state": {"$ref": "#/components/schemas/SubmissionState"},
                  "receipt": {
                    "type": "object",
                    "required": ["sha256", "byteCount"],
                    "properties": {
                      "sha256": {"$ref": "#/components/schemas/Digest"},
                      "byteCount": {"$ref": "#/components/schemas/Count"},
                      "droppedAt": {
                        "$ref": "#/components/schemas/Timestamp",
                        "description": "When its bytes were let go of."
                      }
                    }
                  },
                  "receivedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "changedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "timesReceived": {"$ref": "#/components/schemas/Count"},
                  "tries": {"$ref": "#/components/schemas/Count"},
                  "originalTransactionId": {"type": "string"},
                  "environment": {
                    "$ref": "#/components/schemas/Environment",
                    "description": "Which was asked last, with the answer in the two after it."
                  },
                  "httpStatus": {"type": "integer"},
                  "storeStatus": {"type": "integer"},
                  "lastTriedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "nextTryAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "Absent when nothing more will happen by itself."
                  },
                  "stalledAt": {"$ref": "#/components/schemas/Timestamp"},
                  "reason": {"$ref": "#/components/schemas/RefusalReason"},
                  "message": {"type": "string"},
                  "grant": {
                    "$ref": "#/components/schemas/OperatorGrant",
                    "description": "What was granted for the transaction, to whomever."
                  },
                  "passThrough": {"type": "object", "additionalProperties": {"type": "string"}},
                  "history": {
                    "type": "array",
                    "description": "Oldest first; only of one submission.",
                    "maxItems": \#(BackendLimits.historyMax),
                    "items": {"$ref": "#/components/schemas/OperatorEvent"}
                  },
                  "historyLeftOut": {
                    "type": "integer",
                    "description": "How many older entries there are.",
                    "minimum": 1
                  }
                }
              },
              "OperatorGrant": {
                "type": "object",
                "required": [
                  "userId", "userName", "submissionId", "productId", "kind", "transactionId",
                  "originalTransactionId", "environment", "quantity", "grantedAt"
                ],
                "properties": {
                  "userId": {"type": "string"},
                  "userName": {"type": "string"},
                  "submissionId": {"$ref": "#/components/schemas/SubmissionID"},
                  "productId": {"type": "string"},
                  "kind": {"enum": \#(names(ProductKind.allCases.map(\.rawValue)))},
                  "transactionId": {"type": "string"},
                  "originalTransactionId": {"type": "string"},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "quantity": {"type": "integer", "minimum": 1},
                  "grantedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "refundedAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "When the store took the purchase back, as it said."
                  },
                  "refundSeenAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "When the backend heard of it."
                  }
                }
              },
              "OperatorEvent": {
                "type": "object",
                "required": ["at", "event", "requestId"],
                "properties": {
                  "at": {"$ref": "#/components/schemas/Timestamp"},
                  "event": {
                    "enum": [
                      "received", "receivedAgain", "kept", "stalled", "retried", "granted",
                      "alreadyGranted", "refused", "rechecked", "refunded", "refundReversed",
                      "receiptDropped"
                    ]
                  },
                  "requestId": {
                    "type": "string",
                    "description": "The `Request-Id` of the request that caused it, or `worker`."
                  },
                  "tryNumber": {
                    "type": "integer",
                    "description": "Absent when the store was not asked, as the four after it.",
                    "minimum": 1
                  },
                  "triedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "httpStatus": {"type": "integer"},
                  "storeStatus": {"type": "integer"},
                  "detail": {"type": "string"}
                },
                "example": {
                  "at": 1714558835000,
                  "environment": "Production",
                  "event": "granted",
                  "httpStatus": 200,
                  "requestId": "worker",
                  "storeStatus": 0,
                  "triedAt": 1714558835000,
                  "tryNumber": 2
                }
              },
              "OperatorSubmissions": {
                "type": "object",
                "required": ["submissions"],
                "properties": {
                  "submissions": {
                    "type": "array",
                    "maxItems": \#(BackendLimits.lookupMax),
                    "items": {"$ref": "#/components/schemas/OperatorSubmission"}
                  },
                  "nextAfter": {
                    "$ref": "#/components/schemas/SubmissionID",
                    "description": "Goes into `after` for the next page; absent on the last."
                  }
                }
              },
              "OperatorRecheck": {
                "type": "object",
                "required": ["outcome", "submission"],
                "properties": {
                  "outcome": {
                    "description": "`notListed`: the receipt is good and does not list the purchase; the grant stays, as with `storeRefused`.",
                    "enum": \#(names(OperatorRecheckBody.Outcome.allCases.map(\.rawValue)))
                  },
                  "submission": {"$ref": "#/components/schemas/OperatorSubmission"}
                }
              }
        """#
}
