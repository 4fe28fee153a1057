extension StoreDocument {
    static let accountUpkeep = #"""
            "/control/v1/accounts/lock": {
              "post": {
                "operationId": "lockAccount",
                "tags": ["accounts"],
                "summary": "Keep an account from signing in",
                "description": "Signs it out on every device.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/LockAccount"},
                      "example": {"name": "buyer@example.com", "reason": "A refund is looked into."}
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The account as it is now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Account"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/WorldUnknown",
                    "description": "`accountUnknown`: the environment has no account of that name. `worldUnknown`, `notFound`: nothing is at this path."
                  },
                  "422": {
                    "$ref": "#/components/responses/Error",
                    "description": "`badField`: `until` is past by the real clock, or `reason` is too long or has control characters."
                  },
        \#(withBody)
                }
              }
            },
            "/control/v1/accounts/unlock": {
              "post": {
                "operationId": "unlockAccount",
                "tags": ["accounts"],
                "summary": "End a lock, also one that wrong passwords brought about",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/NamedAccount"},
                      "example": {"name": "buyer@example.com"}
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The account as it is now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Account"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/WorldUnknown",
                    "description": "`accountUnknown`: the environment has no account of that name. `worldUnknown`, `notFound`: nothing is at this path."
                  },
        \#(withBody)
                }
              }
            },
            "/control/v1/accounts/password": {
              "post": {
                "operationId": "resetPassword",
                "tags": ["accounts"],
                "summary": "Give an account another password",
                "description": "Signs it out on every device, and ends a lock that wrong passwords brought about.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/ResetPassword"},
                      "example": {"name": "buyer@example.com", "password": "rocket-fuel-2"}
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The account as it is now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Account"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/WorldUnknown",
                    "description": "`accountUnknown`: the environment has no account of that name. `worldUnknown`, `notFound`: nothing is at this path."
                  },
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            },
            "/control/v1/accounts/sign-out": {
              "post": {
                "operationId": "signAccountOut",
                "tags": ["accounts"],
                "summary": "Sign an account out on every device",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/NamedAccount"},
                      "example": {"name": "buyer@example.com"}
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The account as it is now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Account"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/WorldUnknown",
                    "description": "`accountUnknown`: the environment has no account of that name. `worldUnknown`, `notFound`: nothing is at this path."
                  },
        \#(withBody)
                }
              }
            }
        """#

    static let accountUpkeepSchemas = #"""
              "NamedAccount": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    "anyOf": [{"$ref": "#/components/schemas/Environment"}, {"type": "null"}]
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"}
                }
              },
              "LockAccount": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    "anyOf": [{"$ref": "#/components/schemas/Environment"}, {"type": "null"}]
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "reason": {
                    "description": "What the person is told who signs in with the right password. Without control characters.",
                    "type": ["string", "null"],
                    "pattern": "^[^\\u0000-\\u001f\\u007f]*$",
                    "maxLength": \#(Limits.lockReasonBytesMax)
                  },
                  "until": {
                    "description": "By the real clock; without it only the owner ends the lock.",
                    "anyOf": [{"$ref": "#/components/schemas/Timestamp"}, {"type": "null"}]
                  }
                }
              },
              "ResetPassword": {
                "type": "object",
                "required": ["name", "password"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    "anyOf": [{"$ref": "#/components/schemas/Environment"}, {"type": "null"}]
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "password": {"$ref": "#/components/schemas/Password"}
                }
              },
              "Password": {
                "type": "string",
                "minLength": \#(AccountControl.passwordCharactersMin),
                "maxLength": \#(Limits.passwordBytesMax)
              },
              "AccountLock": {
                "type": "object",
                "required": ["by", "reason"],
                "properties": {
                  "by": {"enum": ["owner", "wrongPasswords"]},
                  "reason": {"type": "string"},
                  "until": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the real clock; absent for a lock that only the owner ends."
                  }
                },
                "example": {"by": "owner", "reason": "A refund is looked into."}
              }
        """#
}
