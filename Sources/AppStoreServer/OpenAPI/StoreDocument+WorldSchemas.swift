import StoreHTTP
import StoreModel

extension StoreDocument {
    static let worldParameters = #"""
              "world": {
                "name": "name",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/WorldName"},
                "example": "one"
              }
        """#

    static let worldResponses = laterResponse(
        "WorldUnavailable",
        "`worldBusy`: something else is being done to the world. `worldInUse`: another program has its file open. `busy`: too much at once. `storage`, `diskFull`: nothing was changed. `stopping`: not taken any more. `notAnswered`: what was asked may have happened."
    )

    static let worldSchemas = #"""
              "WorldName": {
                "type": "string",
                "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
                "minLength": 1,
                "maxLength": \#(WorldName.lengthMax)
              },
              "MakeWorld": {
                "type": "object",
                "properties": {
                  "name": {\#(nullable("WorldName"))}
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
              "WorldEntry": {
                "type": "object",
                "required": [
                  "name", "path", "isSession", "isOpen", "bytes", "changedAt", "snapshotCount"
                ],
                "properties": {
                  "name": {"$ref": "#/components/schemas/WorldName"},
                  "id": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "Absent for a session whose file is not open now."
                  },
                  "path": {"type": "string"},
                  "isSession": {"type": "boolean"},
                  "isOpen": {"type": "boolean"},
                  "bytes": {
                    "type": "integer",
                    "format": "int64",
                    "description": "The size of its database, with the log beside it.",
                    "minimum": 0
                  },
                  "changedAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the real clock."
                  },
                  "snapshotCount": {"type": "integer", "minimum": 0}
                },
                "example": {
                  "bytes": 4096,
                  "changedAt": 1714558830123,
                  "isOpen": false,
                  "isSession": true,
                  "name": "one",
                  "path": "/t/one",
                  "snapshotCount": 0
                }
              },
              "Worlds": {
                "type": "object",
                "required": ["worlds"],
                "properties": {
                  "worlds": {"type": "array", "items": {"$ref": "#/components/schemas/WorldEntry"}}
                }
              },
              "WorldDetails": {
                "type": "object",
                "required": [
                  "name", "id", "path", "isSession", "apps", "products", "accounts", "devices",
                  "transactions"
                ],
                "properties": {
                  "name": {"$ref": "#/components/schemas/WorldName"},
                  "id": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "Another one after each restore and reset."
                  },
                  "path": {"type": "string"},
                  "isSession": {"type": "boolean"},
                  "apps": {"type": "integer", "minimum": 0},
                  "products": {"type": "integer", "minimum": 0},
                  "accounts": {"type": "integer", "minimum": 0},
                  "devices": {"type": "integer", "minimum": 0},
                  "transactions": {"type": "integer", "minimum": 0}
                },
                "example": {
                  "accounts": 1,
                  "apps": 1,
                  "devices": 1,
                  "id": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                  "isSession": true,
                  "name": "one",
                  "path": "/t/one",
                  "products": 4,
                  "transactions": 2
                }
              },
              "SnapshotName": {
                "type": "string",
                "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
                "minLength": 1,
                "maxLength": \#(WorldName.lengthMax)
              },
              "MakeSnapshot": {
                "type": "object",
                "properties": {
                  "name": {
                    \#(nullable("SnapshotName"))
                  }
                }
              },
              "RestoreWorld": {
                "type": "object",
                "required": ["snapshot"],
                "properties": {"snapshot": {"$ref": "#/components/schemas/SnapshotName"}}
              },
              "ResetWorld": {
                "type": "object",
                "required": ["keepCatalogue"],
                "properties": {"keepCatalogue": {"type": "boolean"}}
              },
              "Snapshot": {
                "type": "object",
                "required": ["name", "bytes", "createdAt"],
                "properties": {
                  "name": {"$ref": "#/components/schemas/SnapshotName"},
                  "bytes": {"type": "integer", "format": "int64", "minimum": 0},
                  "createdAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the real clock."
                  }
                },
                "example": {"bytes": 4096, "createdAt": 1714558830123, "name": "before"}
              },
              "Snapshots": {
                "type": "object",
                "required": ["snapshots"],
                "properties": {
                  "snapshots": {
                    "type": "array",
                    "maxItems": \#(Limits.snapshotsMax),
                    "items": {"$ref": "#/components/schemas/Snapshot"}
                  }
                }
              }
        """#
}
