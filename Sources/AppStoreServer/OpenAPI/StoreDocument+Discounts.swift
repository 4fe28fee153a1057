import StoreHTTP

extension StoreDocument {
    static let discountSchemas = #"""
              "Discount": {
                "type": "object",
                "description": "What the app's server signed, by the names of `SKPaymentDiscount`, or a JWS. What is wrong with it is told as a refusal of the attempt.",
                "properties": {
                  "identifier": {"type": ["string", "null"], "description": "The offer's."},
                  "keyIdentifier": {"type": ["string", "null"]},
                  "nonce": {"type": ["string", "null"], "description": "A UUID, good once in the app."},
                  "signature": {"type": ["string", "null"], "description": "DER in base64."},
                  "timestamp": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "Milliseconds since 1970, by the real clock; good for 24 hours.",
                    "minimum": \#(Int64.min),
                    "maximum": \#(Int64.max)
                  },
                  "compactJWS": {
                    "type": ["string", "null"],
                    "description": "In place of the four before it."
                  }
                },
                "example": {
                  "identifier": "spring",
                  "keyIdentifier": "2X9R4HXF34",
                  "nonce": "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a11",
                  "signature": "MEUCIQCmz0mZ…",
                  "timestamp": 1714558830123
                }
              }
        """#
}
