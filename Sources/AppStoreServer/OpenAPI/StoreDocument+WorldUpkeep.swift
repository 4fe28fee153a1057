import StoreHTTP

extension StoreDocument {
    static let worldUpkeep = #"""
            "/control/v1/worlds/{name}/snapshots": {
              "servers": [{"url": "/"}],
              "parameters": [
                {"$ref": "#/components/parameters/world"}
              ],
              "get": {
                "operationId": "listSnapshots",
                "tags": ["worlds"],
                "summary": "A world's snapshots",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "The snapshots.", "Snapshots")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutWorldBody)
                }
              },
              "post": {
                "operationId": "makeSnapshot",
                "tags": ["worlds"],
                "summary": "Keep a world as it is at this moment",
                "description": "The world goes on meanwhile.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "description": "Without a body or a name, the store makes a name up.",
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/MakeSnapshot"},
                      "example": {"name": "before"}
                    }
                  }
                },
                "responses": {
        \#(answer(201, "Kept.", "Snapshot")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`snapshotExists`: the name is taken. `tooManySnapshots`: the world has \(Limits.snapshotsMax) already.")),
        \#(refusal(422, "`badName`: no snapshot can have that name.")),
        \#(withWorldBody)
                }
              }
            },
            "/control/v1/worlds/{name}/snapshots/{snapshot}": {
              "servers": [{"url": "/"}],
              "parameters": [
                {"$ref": "#/components/parameters/world"},
        \#(inPath("snapshot", "SnapshotName", example: "before"))
              ],
              "delete": {
                "operationId": "deleteSnapshot",
                "tags": ["worlds"],
                "summary": "Delete a snapshot",
                "security": [{"controlToken": []}],
                "responses": {
                  "204": {"description": "Deleted."},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`snapshotUnknown`: the world has none of that name. `worldUnknown`, `notFound`: nothing is at this path.", as: "WorldUnknown")),
        \#(withoutWorldBody)
                }
              }
            },
            "/control/v1/worlds/{name}/restore": {
              "servers": [{"url": "/"}],
              "parameters": [
                {"$ref": "#/components/parameters/world"}
              ],
              "post": {
                "operationId": "restoreWorld",
                "tags": ["worlds"],
                "summary": "Put a snapshot in the place of its world",
                "description": "The world gets another identifier, and devices register again; transaction numbers go on from where they are.",
                "security": [{"controlToken": []}],
        \#(requestBody("RestoreWorld", example: #"{"snapshot": "before"}"#)),
                "responses": {
        \#(answer(200, "Restored.", "WorldDetails")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`snapshotUnknown`: the world has none of that name. `worldUnknown`, `notFound`: nothing is at this path.", as: "WorldUnknown")),
        \#(refusal(409, "`snapshotDamaged`: it cannot be read; the world stays as it is.")),
        \#(withWorldBody)
                }
              }
            },
            "/control/v1/worlds/{name}/reset": {
              "servers": [{"url": "/"}],
              "parameters": [
                {"$ref": "#/components/parameters/world"}
              ],
              "post": {
                "operationId": "resetWorld",
                "tags": ["worlds"],
                "summary": "Empty a world",
                "description": "The world gets another identifier, and devices register again; transaction numbers go on from where they are.",
                "security": [{"controlToken": []}],
        \#(requestBody("ResetWorld", example: #"{"keepCatalogue": true}"#)),
                "responses": {
        \#(answer(200, "Emptied.", "WorldDetails")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withWorldBody)
                }
              }
            }
        """#
}
