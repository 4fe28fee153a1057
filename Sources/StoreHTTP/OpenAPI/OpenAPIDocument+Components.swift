extension OpenAPIDocument {
    /// A response of the components whose body is an error.
    ///
    /// `headers` and `example` are JSON.
    package static func errorResponse(
        _ name: String, _ description: String, headers: String? = nil, example: String? = nil
    ) -> String {
        let headersLine = headers.map { "\n        \"headers\": \($0)," } ?? ""
        let exampleMember = example.map { ", \"example\": \($0)" } ?? ""
        return #"""
                  "\#(name)": {
                    "description": "\#(description)",\#(headersLine)
                    "content": {
                      "application/json": {
                        "schema": {"$ref": "#/components/schemas/Error"}\#(exampleMember)
                      }
                    }
                  }
            """#
    }

    /// The 401 of operations that ask for a bearer token.
    package static func tokenResponse(_ name: String, _ description: String) -> String {
        errorResponse(
            name, description,
            headers: #"{"WWW-Authenticate": {"schema": {"const": "Bearer"}}}"#)
    }

    /// A 503 or 429, after which the same may be asked again.
    package static func laterResponse(_ name: String, _ description: String) -> String {
        let seconds = #"{"type": "integer", "minimum": 1}"#
        let header = #"{"description": "Seconds; not with every code.", "schema": \#(seconds)}"#
        return errorResponse(name, description, headers: #"{"Retry-After": \#(header)}"#)
    }

    /// The 400 of every operation: `BadRequest`, and `BadBody` of those that decode a body.
    ///
    /// `also` describes further codes of both; `bodyExample` is a message of `badBody`.
    package static func badRequestResponses(also: String = "", bodyExample: String) -> String {
        let twoWays =
            "`badRequest`: the path, the query or a header can be read in two ways.\(also)"
        let badBody = "`badBody`: the body is not as described; the message says where."
        return [
            errorResponse("BadRequest", twoWays),
            errorResponse(
                "BadBody", "\(badBody) \(twoWays)",
                example: #"{"error": {"code": "badBody", "message": "\#(bodyExample)"}}"#),
        ].joined(separator: ",\n")
    }

    /// The 413 of every operation.
    package static func tooLargeResponse(bodyBytesMax: Int) -> String {
        errorResponse(
            "TooLarge",
            "`bodyTooLarge`: \(bodyBytesMax) bytes are taken, where `x-bodyBytesMax` does not say another number."
        )
    }

    /// The schema of every error; `member` is one more beside `error`, as JSON.
    package static func errorSchema(beside member: String? = nil) -> String {
        let more = member.map { ",\n          \($0)" } ?? ""
        return #"""
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
                      }\#(more)
                    }
                  }
            """#
    }
}
