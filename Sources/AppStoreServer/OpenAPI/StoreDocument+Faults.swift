import StoreHTTP

extension StoreDocument {
    static let faults = #"""
            "/control/v1/faults": {
        \#(get(
            "getFaults", in: "clock", "What the store answers wrongly on purpose",
            gives: "As they are now.", as: "Faults")),
              "put": {
                "operationId": "setFaults",
                "tags": ["clock"],
                "summary": "Make it so",
                "description": "Sets all of them; what the body leaves out is none. They end when the store does.",
                "security": [{"controlToken": []}],
        \#(requestBody("Faults", example: #"{"verifyReceipt": {"count": 3, "status": 21005}}"#)),
                "responses": {
        \#(answer(200, "As they are now.", "Faults")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(422, "`badField`: no such status, or one that has circumstances of its own; a count of 0.")),
        \#(withBody)
                }
              }
            }
        """#

    static let faultSchemas = #"""
              "Faults": {
                "type": "object",
                "properties": {
                  "verifyReceipt": {
                    "anyOf": [{"$ref": "#/components/schemas/ReceiptFault"}, {"type": "null"}]
                  }
                },
                "example": {"verifyReceipt": {"count": 3, "status": 21005}}
              },
              "ReceiptFault": {
                "type": "object",
                "required": ["status"],
                "properties": {
                  "status": {
                    "type": "integer",
                    "description": "21005, 21009, 21010, or 21100 to 21199."
                  },
                  "isRetryable": {
                    "type": ["boolean", "null"],
                    "description": "For 21100 to 21199 only."
                  },
                  "count": {
                    "type": ["integer", "null"],
                    "minimum": 1,
                    "maximum": 1000000,
                    "description": "For so many requests; until it is taken away when absent."
                  }
                }
              }
        """#
}
