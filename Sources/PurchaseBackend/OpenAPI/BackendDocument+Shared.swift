extension BackendDocument {
    static let process = #"""
            "/health": {
              "get": {
                "operationId": "getHealth",
                "tags": ["process"],
                "summary": "Whether the process runs",
                "responses": {
                  "200": {
                    "description": "It does.",
                    "content": {
                      "application/json": {
                        "schema": {"$ref": "#/components/schemas/Health"},
                        "example": {"status": "ok"}
                      }
                    }
                  },
        \#(withoutBody)
                }
              }
            },
            "/ready": {
              "get": {
                "operationId": "getReadiness",
                "tags": ["process"],
                "summary": "Whether the database answers",
                "responses": {
                  "200": {
                    "description": "It does.",
                    "content": {
                      "application/json": {
                        "schema": {"$ref": "#/components/schemas/Health"},
                        "example": {"status": "ready"}
                      }
                    }
                  },
        \#(withoutBody)
                }
              }
            },
            "/openapi.json": {
              "get": {
                "operationId": "getDocument",
                "tags": ["process"],
                "summary": "This document",
                "responses": {
                  "200": {
                    "description": "In OpenAPI 3.1.",
                    "content": {"application/json": {"schema": {"type": "object"}}}
                  },
        \#(withoutBody)
                }
              }
            }
        """#

    /// Answers that more than one operation gives.
    static let responses = #"""
              "Error": {
                "description": "Refused; nothing was changed.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "BadRequest": {
                "description": "`badRequest`: the path, the query or a header can be read in two ways. `receiptInAddress`: a query holds a receipt.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "BadBody": {
                "description": "`badBody`: the body is not as described; the message says where. `badRequest`: the path, the query or a header can be read in two ways. `receiptInAddress`: a query holds a receipt.",
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/Error"},
                    "example": {"error": {"code": "badBody", "message": "password is missing"}}
                  }
                }
              },
              "NotSignedIn": {
                "description": "`notSignedIn`: the token is missing, expired or ended.",
                "headers": {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "TooLarge": {
                "description": "`bodyTooLarge`: \#(BackendLimits.bodyMax) bytes are taken, where `x-bodyBytesMax` does not say another number.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "Failed": {
                "description": "`failed`, `badAnswer`: the backend could not do it; its log says why. Nothing was lost.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "Unavailable": {
                "description": "`busy`: too much at once. `storageFailed`: the disk is full or fails; nothing was lost. `notReady`: the database does not answer. `stopping`: not taken any more. `notAnswered`: what was asked may have happened.",
                "headers": {
                  "Retry-After": {
                    "description": "Seconds; not with every code.",
                    "schema": {"type": "integer", "minimum": 1}
                  }
                },
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              }
        """#

    static let errorSchemas = #"""
              "Error": {
                "type": "object",
                "required": ["error"],
                "properties": {
                  "error": {
                    "type": "object",
                    "required": ["code", "message"],
                    "properties": {
                      "code": {"$ref": "#/components/schemas/ErrorCode"},
                      "message": {"type": "string", "description": "A sentence for people."}
                    }
                  },
                  "retryAfterSeconds": {
                    "type": "integer",
                    "description": "Where waiting helps; in `Retry-After` too.",
                    "minimum": 1
                  }
                }
              },
              "ErrorCode": {
                "description": "A name for programs; each operation says which come with which status.",
                "enum": [
                  "alreadyDelivered", "badAnswer", "badBody", "badField", "badName",
                  "badPassword", "badQuery", "badRequest", "bodyTooLarge", "busy", "failed",
                  "lockedOut", "methodNotAllowed", "nameTaken", "noClearAnswer", "notAnswered",
                  "notDelivered", "notFound", "notReady", "notSignedIn", "operatorTokenWrong",
                  "receiptDropped", "receiptInAddress", "stillAsking", "stopping",
                  "storageFailed", "tooManyOpen", "tooManyRefused", "wrongNameOrPassword"
                ]
              },
              "Health": {
                "type": "object",
                "required": ["status"],
                "properties": {"status": {"enum": ["ok", "ready"]}}
              },
              "Timestamp": {
                "type": "integer",
                "format": "int64",
                "description": "Milliseconds since 1970."
              }
        """#
}
