import StoreHTTP

// What many operations have in common that read something for the shop owner: one thing, all of a
// kind, or a page of them.
extension StoreDocument {
    /// A `get` without parameters of its own, which answers with that schema; `unknown` is its 404.
    static func get(
        _ operation: String, in tag: String, _ summary: String, gives description: String,
        as schema: String, unknown: String = refusal(404, as: "WorldUnknown")
    ) -> String {
        #"""
              "get": {
                "operationId": "\#(operation)",
                "tags": ["\#(tag)"],
                "summary": "\#(summary)",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, description, schema)),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(unknown),
        \#(withoutBody)
                }
              }
        """#
    }

    /// A `get` of a list of the world that comes page by page; `pageSchema` makes its schema.
    static func getPage(
        _ operation: String, in tag: String, _ summary: String,
        gives description: String = "A page of them.", as schema: String
    ) -> String {
        #"""
              "get": {
                "operationId": "\#(operation)",
                "tags": ["\#(tag)"],
                "summary": "\#(summary)",
                "security": [{"controlToken": []}],
                "parameters": [
        \#(after)
                ],
                "responses": {
        \#(answer(200, description, schema)),
        \#(afterRefused),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(refusal(404, as: "WorldUnknown")),
        \#(always)
                }
              }
        """#
    }

    /// The schema of a page: up to `countMax` of an item in a member, and where the next goes on.
    static func pageSchema(
        _ name: String, of item: String, in member: String, countMax: Int
    ) -> String {
        #"""
              "\#(name)": {
                "type": "object",
                "required": ["\#(member)"],
                "properties": {
                  "\#(member)": {
                    "type": "array",
                    "maxItems": \#(countMax),
                    "items": {"$ref": "#/components/schemas/\#(item)"}
                  },
                  "next": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 1,
                    "description": "Where the next page goes on; absent on the last."
                  }
                },
                "example": {"\#(member)": []}
              }
        """#
    }

    /// The parameters that name an account.
    static let accountInQuery = #"""
                  {
                    "name": "account",
                    "in": "query",
                    "required": true,
                    "description": "Its name.",
                    "schema": {"$ref": "#/components/schemas/AccountName"},
                    "example": "buyer@example.com"
                  },
                  {
                    "name": "environment",
                    "in": "query",
                    "description": "`sandbox` when absent.",
                    "schema": {"$ref": "#/components/schemas/Environment"},
                    "example": "sandbox"
                  }
        """#

    /// The parameter that says where a page goes on.
    static let after = after("The `next` of the page before; 0 when absent.")

    static func after(_ description: String) -> String {
        #"""
                  {
                    "name": "after",
                    "in": "query",
                    "description": "\#(description)",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 0
                  }
        """#
    }

    /// The 400 of an operation that takes `after`.
    static let afterRefused = refusal(
        400,
        "`badQuery`: `after` is no whole number from 0 up. `badRequest`: the path, the query or a header can be read in two ways."
    )

    /// The parameter `number` of a path, of the schema of such numbers.
    static func numberInPath(_ schema: String) -> String {
        inPath("number", schema, json: "1")
    }

    /// A parameter of a path that is a text.
    static func inPath(_ name: String, _ schema: String, example: String) -> String {
        inPath(name, schema, json: "\"\(example)\"")
    }

    private static func inPath(_ name: String, _ schema: String, json example: String) -> String {
        #"""
                {
                  "name": "\#(name)",
                  "in": "path",
                  "required": true,
                  "schema": {"$ref": "#/components/schemas/\#(schema)"},
                  "example": \#(example)
                }
        """#
    }
}
