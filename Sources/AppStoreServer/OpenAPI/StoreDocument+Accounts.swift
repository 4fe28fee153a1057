import StoreHTTP

extension StoreDocument {
    static let accounts = #"""
            "/control/v1/accounts": {
        \#(get(
            "listAccounts", in: "accounts", "Every account of the world", gives: "The accounts.",
            as: "Accounts")),
              "post": {
                "operationId": "makeAccount",
                "tags": ["accounts"],
                "summary": "Make a test account",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/MakeAccount"},
                      "example": {
                        "environment": "sandbox",
                        "name": "buyer@example.com",
                        "password": "rocket-fuel-1",
                        "storefront": "DEU"
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(201, "Made.", "Account")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`nameTaken`: there is an account of that name.")),
        \#(refusal(422, "`badField`: the message names it. `storefrontUnknown`: the message lists those there are.")),
        \#(withBody)
                }
              }
            }
        """#

    static let accountSchemas = #"""
              "Account": {
                "type": "object",
                "required": [
                  "environment", "name", "storefront", "devicesSignedIn", "needsApproval",
                  "interruptsPurchases"
                ],
                "properties": {
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "name": {"type": "string"},
                  "storefront": {"$ref": "#/components/schemas/StorefrontCode"},
                  "devicesSignedIn": {"type": "integer", "minimum": 0},
                  "lock": {
                    "$ref": "#/components/schemas/AccountLock",
                    "description": "Absent while nothing locks it."
                  },
                  "needsApproval": {
                    "type": "boolean",
                    "description": "Whether somebody else approves what it buys."
                  },
                  "interruptsPurchases": {
                    "type": "boolean",
                    "description": "Whether its purchases fail in the app until the person has settled something."
                  }
                },
                "example": {
                  "devicesSignedIn": 0,
                  "environment": "sandbox",
                  "interruptsPurchases": false,
                  "name": "buyer@example.com",
                  "needsApproval": false,
                  "storefront": "DEU"
                }
              },
              "Accounts": {
                "type": "object",
                "required": ["accounts"],
                "properties": {
                  "accounts": {"type": "array", "items": {"$ref": "#/components/schemas/Account"}}
                }
              },
              "MakeAccount": {
                "type": "object",
                "required": ["environment", "name", "password"],
                "properties": {
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "password": {"$ref": "#/components/schemas/Password"},
                  "storefront": {
                    "description": "USA when absent.",
                    \#(nullable("StorefrontCode"))
                  },
                  "needsApproval": {
                    "type": ["boolean", "null"],
                    "description": "Whether somebody else approves what it buys; false when absent."
                  }
                }
              },
              "AccountName": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                "minLength": 1,
                "maxLength": \#(Limits.accountNameBytesMax)
              }
        """#
}
