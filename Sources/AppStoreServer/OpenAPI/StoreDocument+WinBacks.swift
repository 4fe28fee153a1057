import StoreHTTP

extension StoreDocument {
    static let winBacks = #"""
            "/control/v1/subscriptions/{original}/win-backs": {
              "parameters": [\#(subscriptionParameter)],
              "get": {
                "operationId": "listWinBacks",
                "tags": ["subscriptions"],
                "summary": "The offers that would win its person back now, the best first",
                "description": "None while it goes on. What was due is done before.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "They are in the order of the catalogue.", "WinBacks")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, subscriptionUnknown)),
        \#(withoutBody)
                }
              }
            }
        """#

    static let winBackSchemas = #"""
              "WinBacks": {
                "type": "object",
                "required": ["offers", "currency"],
                "properties": {
                  "offers": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/Offer"}
                  },
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"}
                }
              },
              "TakeWinBack": {
                "type": "object",
                "required": ["offerId"],
                "properties": {"offerId": {"type": "string"}}
              }
        """#
}
