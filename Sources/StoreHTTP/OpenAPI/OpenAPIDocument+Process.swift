extension OpenAPIDocument {
    /// `/health`, `/ready` and `/openapi.json`; `readiness` says what the second asks.
    ///
    /// In a document of several servers the paths stand below the root alone.
    package static func processPaths(readiness: String, isAtRootOnly: Bool) -> String {
        let servers = isAtRootOnly ? "\n      \"servers\": [{\"url\": \"/\"}]," : ""
        return #"""
                "/health": {\#(servers)
                  "get": {
                    "operationId": "getHealth",
                    "tags": ["process"],
                    "summary": "Whether the process runs",
                    "responses": {
            \#(healthAnswer("ok")),
            \#(commonAnswers(isBodyDecoded: false))
                    }
                  }
                },
                "/ready": {\#(servers)
                  "get": {
                    "operationId": "getReadiness",
                    "tags": ["process"],
                    "summary": "\#(readiness)",
                    "responses": {
            \#(healthAnswer("ready")),
            \#(commonAnswers(isBodyDecoded: false))
                    }
                  }
                },
                "/openapi.json": {\#(servers)
                  "get": {
                    "operationId": "getDocument",
                    "tags": ["process"],
                    "summary": "This document",
                    "responses": {
                      "200": {
                        "description": "In OpenAPI 3.1.",
                        "content": {"application/json": {"schema": {"type": "object"}}}
                      },
            \#(commonAnswers(isBodyDecoded: false))
                    }
                  }
                }
            """#
    }

    private static func healthAnswer(_ status: String) -> String {
        #"""
                  "200": {
                    "description": "It does.",
                    "content": {
                      "application/json": {
                        "schema": {"$ref": "#/components/schemas/Health"},
                        "example": {"status": "\#(status)"}
                      }
                    }
                  }
        """#
    }

    /// What `/health` and `/ready` answer.
    package static var healthSchema: String {
        #"""
              "Health": {
                "type": "object",
                "required": ["status"],
                "properties": {"status": {"enum": ["ok", "ready"]}}
              }
        """#
    }
}
