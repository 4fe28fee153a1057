extension StoreDocument {
    static let process = #"""
            "/health": {
              "servers": [{"url": "/"}],
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
              "servers": [{"url": "/"}],
              "get": {
                "operationId": "getReadiness",
                "tags": ["process"],
                "summary": "Whether the default world's database answers",
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
              "servers": [{"url": "/"}],
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

    static let processSchemas = #"""
              "Health": {
                "type": "object",
                "required": ["status"],
                "properties": {"status": {"enum": ["ok", "ready"]}}
              }
        """#
}
