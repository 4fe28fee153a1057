import StoreHTTP

extension StoreDocument {
    static let worlds = #"""
            "/control/v1/worlds": {
              "servers": [{"url": "/"}],
              "get": {
                "operationId": "listWorlds",
                "tags": ["worlds"],
                "summary": "Every world, the default one first",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "The worlds.", "Worlds")),
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
        \#(answer(201, "Made.", "World")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(409, "`worldExists`: the name is taken. `tooManyWorlds`: there are \(Limits.sessionsMax) already.")),
        \#(refusal(422, "`badName`: no world can have that name.")),
        \#(withWorldBody)
                }
              }
            },
            "/control/v1/worlds/{name}": {
              "servers": [{"url": "/"}],
              "parameters": [
                {"$ref": "#/components/parameters/world"}
              ],
              "get": {
                "operationId": "getWorld",
                "tags": ["worlds"],
                "summary": "A world, and how much is in it",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "The world.", "WorldDetails")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutWorldBody)
                }
              },
              "put": {
                "operationId": "seedWorld",
                "tags": ["worlds"],
                "summary": "Make a world from a seed",
                "description": "A world is made whole or not at all. In the place of one that is there it has another identifier.",
                "security": [{"controlToken": []}],
                "parameters": [
                  {
                    "name": "replace",
                    "in": "query",
                    "description": "Whether it may take the place of a world that is there; `false` when absent.",
                    "schema": {"enum": ["true", "false"]},
                    "example": "true"
                  }
                ],
                "requestBody": {
                  "required": true,
                  "x-bodyBytesMax": \#(Limits.seedBodyMax),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/Seed"},
                      "example": {
                        "accounts": [
                          {"name": "buyer@example.com", "password": "rocket-fuel-1", "storefront": "DEU"}
                        ],
                        "clock": {"mode": "held", "now": "2026-03-31T12:00:00Z"}
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(201, "Made.", "WorldDetails")),
        \#(refusal(400, "`badQuery`: `replace` is neither true nor false. `badRequest`: the path, the query or a header can be read in two ways.")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`notFound`: nothing is at this path.", as: "WorldUnknown")),
        \#(refusal(409, "`worldExists`: the name is taken, and `replace` is not true. `tooManyWorlds`: there are \(Limits.sessionsMax) already.")),
        \#(refusal(422, "`badSeed`: the message says what is wrong with the seed and where. `badName`: no world can have that name.")),
        \#(worldAlways)
                }
              },
              "delete": {
                "operationId": "deleteWorld",
                "tags": ["worlds"],
                "summary": "Delete a test session with all it holds",
                "security": [{"controlToken": []}],
                "responses": {
                  "204": {"description": "Deleted."},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`worldIsDefault`: the default world stays.")),
        \#(withoutWorldBody)
                }
              }
            }
        """#

    private static let worldAlways = always(unavailable: "WorldUnavailable")

    /// What an operation on a world may answer, whatever it does, when it reads no body.
    static let withoutWorldBody = #"""
                  "400": {"$ref": "#/components/responses/BadRequest"},
        \#(worldAlways)
        """#

    /// The same for one that decodes its body.
    static let withWorldBody = #"""
                  "400": {"$ref": "#/components/responses/BadBody"},
        \#(worldAlways)
        """#
}
