import StoreHTTP

extension BackendDocument {
    static let submissions = #"""
            "/operator/v1/submissions": {
              "get": {
                "operationId": "lookUp",
                "tags": ["operator"],
                "summary": "Look up what became of purchases, newest first",
                "description": "By user, transaction, digest or state, of which one is needed; all that is given must fit. Other names in the query are refused.",
                "security": [{"operatorToken": []}],
                "parameters": [
                  {
                    "name": "user",
                    "in": "query",
                    "description": "A user's name or identifier.",
                    "schema": {"$ref": "#/components/schemas/UserWord"},
                    "example": "driver"
                  },
                  {
                    "name": "transaction",
                    "in": "query",
                    "description": "A transaction, or the original one.",
                    "schema": {"$ref": "#/components/schemas/TransactionWord"},
                    "example": "1000000000000001"
                  },
                  {
                    "name": "digest",
                    "in": "query",
                    "description": "Of the receipt.",
                    "schema": {"$ref": "#/components/schemas/Digest"},
                    "example": "6f32860910ca0fb2a20c7fda143666b09dbf8db5238195c90a586fb542ff0cad"
                  },
                  {
                    "name": "state",
                    "in": "query",
                    "description": "Where the submission stands.",
                    "schema": {"$ref": "#/components/schemas/SubmissionState"},
                    "example": "kept"
                  },
                  {
                    "name": "limit",
                    "in": "query",
                    "description": "How many a page has; \#(BackendLimits.lookupDefault) when absent.",
                    "schema": {"type": "integer", "minimum": 1, "maximum": \#(BackendLimits.lookupMax)},
                    "example": 50
                  },
                  {
                    "name": "after",
                    "in": "query",
                    "description": "The `nextAfter` of the page before.",
                    "schema": {"$ref": "#/components/schemas/SubmissionID"},
                    "example": "s-000000000000000000000004"
                  }
                ],
                "responses": {
        \#(answer(200, "A page, without histories.", "OperatorSubmissions")),
                  "401": {"$ref": "#/components/responses/OperatorTokenWrong"},
        \#(refusal(404, "`notFound`: there is no such user.")),
        \#(refusal(422, "`badQuery`: the message says what is wrong with the query.")),
        \#(withoutBody)
                }
              }
            },
            "/operator/v1/submissions/{submission}": {
              "parameters": [\#(submissionParameter)],
              "get": {
                "operationId": "showSubmission",
                "tags": ["operator"],
                "summary": "A submission with its history",
                "security": [{"operatorToken": []}],
                "responses": {
        \#(answer(200, "The submission.", "OperatorSubmission")),
                  "401": {"$ref": "#/components/responses/OperatorTokenWrong"},
        \#(refusal(404, "`notFound`: there is none of that identifier.")),
        \#(withoutBody)
                }
              }
            },
            "/operator/v1/submissions/{submission}/retry": {
              "parameters": [\#(submissionParameter)],
              "post": {
                "operationId": "retrySubmission",
                "tags": ["operator"],
                "summary": "Have a submission tried again",
                "description": "One that is kept, was given up or was refused becomes due at once.",
                "security": [{"operatorToken": []}],
                "responses": {
        \#(answer(200, "Due; the worker asks the store.", "OperatorSubmission")),
                  "401": {"$ref": "#/components/responses/OperatorTokenWrong"},
        \#(refusal(404, "`notFound`: there is none of that identifier.")),
        \#(refusal(409, "`alreadyDelivered`: it was granted.")),
        \#(refusal(410, "`receiptDropped`: the bytes of the refused receipt were let go of.")),
        \#(withoutBody)
                }
              }
            },
            "/operator/v1/submissions/{submission}/recheck": {
              "parameters": [\#(submissionParameter)],
              "post": {
                "operationId": "recheckSubmission",
                "tags": ["operator"],
                "summary": "Ask the store again about a purchase that was granted",
                "description": "When the store took it back, the grant is marked as refunded.",
                "security": [{"operatorToken": []}],
                "responses": {
        \#(answer(200, "What the store says now.", "OperatorRecheck")),
                  "401": {"$ref": "#/components/responses/OperatorTokenWrong"},
        \#(refusal(404, "`notFound`: there is none of that identifier.")),
        \#(refusal(409, "`notDelivered`: it was not granted.")),
                  "400": {"$ref": "#/components/responses/BadRequest"},
                  "413": {"$ref": "#/components/responses/TooLarge"},
                  "500": {"$ref": "#/components/responses/Failed"},
        \#(refusal(503, "`noClearAnswer`: the store did not say; nothing was changed. `stillAsking`: it has not answered yet; the history will say. `busy`: too much at once. `storageFailed`: the disk is full or fails. `stopping`: not taken any more. `notAnswered`: what was asked may have happened.", as: "Unavailable"))
                }
              }
            }
        """#

    static let operatorResponses = tokenResponse(
        "OperatorTokenWrong", "`operatorTokenWrong`: without the operator token.")
}
