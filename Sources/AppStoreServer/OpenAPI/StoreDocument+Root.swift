import StoreModel

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

    static let worlds = #"""
            "/control/v1/worlds": {
              "servers": [{"url": "/"}],
              "get": {
                "operationId": "listWorlds",
                "tags": ["worlds"],
                "summary": "Every world, the default one first",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The worlds.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Worlds"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(withoutBody)
                }
              },
              "post": {
                "operationId": "makeWorld",
                "tags": ["worlds"],
                "summary": "Make a test session",
                "description": "The first one waits a second or two for keys.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "description": "Without a body or a name, the store makes a name up.",
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/MakeWorld"},
                      "example": {"name": "one"}
                    }
                  }
                },
                "responses": {
                  "201": {
                    "description": "Made.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/World"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`worldExists`: the name is taken. `tooManyWorlds`: there are \#(Limits.sessionsMax) already."
                  },
                  "422": {
                    "$ref": "#/components/responses/Error",
                    "description": "`badName`: no world can have that name."
                  },
        \#(withBody)
                }
              }
            },
            "/control/v1/worlds/{name}": {
              "servers": [{"url": "/"}],
              "parameters": [
                {
                  "name": "name",
                  "in": "path",
                  "required": true,
                  "schema": {"$ref": "#/components/schemas/WorldName"},
                  "example": "one"
                }
              ],
              "delete": {
                "operationId": "deleteWorld",
                "tags": ["worlds"],
                "summary": "Delete a test session with all it holds",
                "security": [{"controlToken": []}],
                "responses": {
                  "204": {"description": "Deleted."},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/Error",
                    "description": "`worldUnknown`: there is none of that name. `notFound`: no name can be like this."
                  },
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`worldIsDefault`: the default world stays."
                  },
        \#(withoutBody)
                }
              }
            }
        """#

    static let worldSchemas = #"""
              "Health": {
                "type": "object",
                "required": ["status"],
                "properties": {"status": {"enum": ["ok", "ready"]}}
              },
              "WorldName": {
                "type": "string",
                "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
                "minLength": 1,
                "maxLength": \#(WorldName.lengthMax)
              },
              "MakeWorld": {
                "type": "object",
                "properties": {
                  "name": {"anyOf": [{"$ref": "#/components/schemas/WorldName"}, {"type": "null"}]}
                }
              },
              "World": {
                "type": "object",
                "required": ["name", "id", "path", "isSession"],
                "properties": {
                  "name": {"$ref": "#/components/schemas/WorldName"},
                  "id": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "Its receipts name it."
                  },
                  "path": {
                    "type": "string",
                    "description": "Its addresses stand below this; empty for the default world."
                  },
                  "isSession": {"type": "boolean"}
                },
                "example": {
                  "id": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                  "isSession": true,
                  "name": "one",
                  "path": "/t/one"
                }
              },
              "Worlds": {
                "type": "object",
                "required": ["worlds"],
                "properties": {
                  "worlds": {"type": "array", "items": {"$ref": "#/components/schemas/World"}}
                }
              }
        """#
}
