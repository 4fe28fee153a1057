extension OpenAPIDocument {
    /// An operation's answer whose body has that schema.
    package static func answer(_ status: Int, _ description: String, _ schema: String) -> String {
        #"""
                  "\#(status)": {
                    "description": "\#(description)",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/\#(schema)"}}
                    }
                  }
        """#
    }

    /// An operation's refusal: a response of the components with a description of its own.
    package static func refusal(
        _ status: Int, _ description: String, as response: String = "Error"
    ) -> String {
        #"""
                  "\#(status)": {
                    "$ref": "#/components/responses/\#(response)",
                    "description": "\#(description)"
                  }
        """#
    }

    /// The same as the components describe it.
    package static func refusal(_ status: Int, as response: String) -> String {
        ##"          "\##(status)": {"$ref": "#/components/responses/\##(response)"}"##
    }

    /// A body that an operation needs; `example` is JSON.
    package static func requestBody(
        _ schema: String, example: String, isRequired: Bool = true
    ) -> String {
        #"""
                "requestBody": {
                  "required": \#(isRequired),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/\#(schema)"},
                      "example": \#(example)
                    }
                  }
                }
        """#
    }

    /// What any operation may answer, whatever it does; 400 is each operation's own.
    package static func commonAnswers(unavailable: String = "Unavailable") -> String {
        #"""
                  "413": {"$ref": "#/components/responses/TooLarge"},
                  "500": {"$ref": "#/components/responses/Failed"},
                  "503": {"$ref": "#/components/responses/\#(unavailable)"}
        """#
    }

    /// The same with the 400 of an operation that has no codes of its own there.
    package static func commonAnswers(isBodyDecoded: Bool) -> String {
        #"""
        \#(refusal(400, as: isBodyDecoded ? "BadBody" : "BadRequest")),
        \#(commonAnswers())
        """#
    }
}
