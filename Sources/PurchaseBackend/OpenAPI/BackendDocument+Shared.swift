import StoreHTTP

extension BackendDocument {
    static let process = processPaths(
        readiness: "Whether the database answers", isAtRootOnly: false)

    /// Answers that more than one operation gives.
    static let responses = #"""
        \#(errorResponse("Error", "Refused; nothing was changed.")),
        \#(badRequestResponses(
            also: " `receiptInAddress`: a query holds a receipt.",
            bodyExample: "password is missing")),
        \#(tokenResponse("NotSignedIn", "`notSignedIn`: the token is missing, expired or ended.")),
        \#(tooLargeResponse(bodyBytesMax: BackendLimits.bodyMax)),
        \#(errorResponse("Failed", "`failed`, `badAnswer`: the backend could not do it; its log says why. Nothing was lost.")),
        \#(laterResponse("Unavailable", "`busy`: too much at once. `storageFailed`: the disk is full or fails; nothing was lost. `notReady`: the database does not answer. `stopping`: not taken any more. `notAnswered`: what was asked may have happened."))
        """#

    static let errorSchemas = #"""
        \#(errorSchema(beside: retryAfterSeconds)),
              "ErrorCode": {
                "description": "A name for programs; each operation says which come with which status.",
                "enum": [
                  "alreadyDelivered", "badAnswer", "badBody", "badField", "badName",
                  "badPassword", "badQuery", "badRequest", "bodyTooLarge", "busy", "failed",
                  "lockedOut", "methodNotAllowed", "nameTaken", "noClearAnswer", "notAnswered",
                  "notDelivered", "notEligible", "notFound", "notReady", "notSignedIn", "offerInUse",
                  "offerUsedUp", "operatorTokenWrong",
                  "receiptDropped", "receiptInAddress", "stillAsking", "stopping",
                  "storageFailed", "tooManyOpen", "tooManyRefused", "tooManyRepeated",
                  "tooManySignUps", "wrongNameOrPassword"
                ]
              },
        \#(healthSchema),
              "Timestamp": {
                "type": "integer",
                "format": "int64",
                "description": "Milliseconds since 1970."
              }
        """#

    private static let retryAfterSeconds = #"""
        "retryAfterSeconds": {
                    "type": "integer",
                    "description": "Where waiting helps; in `Retry-After` too.",
                    "minimum": 1
                  }
        """#
}
