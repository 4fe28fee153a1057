extension StoreDocument {
    static let accounts = #"""
            "/control/v1/accounts": {
              "get": {
                "operationId": "listAccounts",
                "tags": ["accounts"],
                "summary": "Every account of the world",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The accounts.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Accounts"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              },
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
                  "201": {
                    "description": "Made.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Account"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`nameTaken`: there is an account of that name."
                  },
                  "422": {
                    "$ref": "#/components/responses/Error",
                    "description": "`badField`: the message names it. `storefrontUnknown`: the message lists those there are. `productionClosed`: accounts of production come with payments."
                  },
        \#(withBody)
                }
              }
            }
        """#

    static let accountSchemas = #"""
              "Account": {
                "type": "object",
                "required": ["environment", "name", "storefront", "devicesSignedIn"],
                "properties": {
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "name": {"type": "string"},
                  "storefront": {"$ref": "#/components/schemas/StorefrontCode"},
                  "devicesSignedIn": {"type": "integer", "minimum": 0},
                  "lock": {
                    "$ref": "#/components/schemas/AccountLock",
                    "description": "Absent while nothing locks it."
                  }
                },
                "example": {
                  "devicesSignedIn": 0,
                  "environment": "sandbox",
                  "name": "buyer@example.com",
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
                  "environment": {"const": "sandbox"},
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "password": {"$ref": "#/components/schemas/Password"},
                  "storefront": {
                    "description": "USA when absent.",
                    "anyOf": [{"$ref": "#/components/schemas/StorefrontCode"}, {"type": "null"}]
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
