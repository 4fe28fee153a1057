import StoreHTTP

extension BackendDocument {
    static let offers = #"""
            "/v1/offers": {
              "post": {
                "operationId": "signOffer",
                "tags": ["receipts"],
                "summary": "Have a promotional offer signed, for a user who may have it",
                "description": "For who has, or had, a subscription of the group. The same again while it is good and was not used.",
                "security": [{"userToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/OfferRequest"},
                      "example": {
                        "offerId": "back",
                        "productId": "gold.month"
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(200, "Signed: good for 24 hours, once.", "OfferSignature")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(refusal(403, "`notEligible`: the user never had a subscription of the group.")),
        \#(refusal(404, "`notFound`: no such offer is given out.")),
        \#(refusal(409, "`offerInUse`: the subscription runs at its price. `offerUsedUp`: used, or promised, as often as it is given out to a user.")),
        \#(refusal(422, "`badField`: the message says which.")),
        \#(withBody)
                }
              }
            }
        """#

    static let offerSchemas = #"""
              "OfferRequest": {
                "type": "object",
                "required": ["productId", "offerId"],
                "properties": {
                  "productId": {"$ref": "#/components/schemas/ProductID"},
                  "offerId": {
                    "type": "string",
                    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2063]+$",
                    "minLength": 1,
                    "maxLength": \#(BackendLimits.offerIDBytesMax)
                  },
                  "applicationUsername": {
                    "type": ["string", "null"],
                    "description": "The name that the backend gave this user before; it needs not be sent.",
                    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2063]*$",
                    "maxLength": \#(BackendLimits.applicationUsernameBytesMax)
                  }
                }
              },
              "OfferSignature": {
                "type": "object",
                "description": "What an SKPaymentDiscount is made of.",
                "required": [
                  "productId", "offerId", "applicationUsername", "keyIdentifier", "nonce",
                  "timestamp", "signature"
                ],
                "properties": {
                  "productId": {"type": "string"},
                  "offerId": {"type": "string"},
                  "applicationUsername": {
                    "type": "string",
                    "format": "uuid",
                    "description": "The backend's name for the user, which the payment must have."
                  },
                  "keyIdentifier": {"type": "string"},
                  "nonce": {"type": "string", "format": "uuid"},
                  "timestamp": {"$ref": "#/components/schemas/Timestamp"},
                  "signature": {
                    "type": "string",
                    "description": "ECDSA on P-256 with SHA-256, in DER.",
                    "contentEncoding": "base64"
                  }
                }
              }
        """#
}
