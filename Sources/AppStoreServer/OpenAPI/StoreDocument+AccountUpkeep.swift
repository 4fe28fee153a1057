import StoreHTTP

extension StoreDocument {
    static let accountUpkeep = [
        accountCommand(
            "lock", operation: "lockAccount", summary: "Keep an account from signing in",
            description: "Signs it out on every device.", body: "LockAccount",
            example: #"{"name": "buyer@example.com", "reason": "A refund is looked into."}"#,
            refused: refusal(
                422,
                "`badField`: `until` is past by the real clock, or `reason` is too long or has control characters."
            )),
        accountCommand(
            "unlock", operation: "unlockAccount",
            summary: "End a lock, also one that wrong passwords brought about"),
        accountCommand(
            "password", operation: "resetPassword", summary: "Give an account another password",
            description:
                "Signs it out on every device, and ends a lock that wrong passwords brought about.",
            body: "ResetPassword",
            example: #"{"name": "buyer@example.com", "password": "rocket-fuel-2"}"#,
            refused: refusal(422, as: "BadField")),
        accountCommand(
            "sign-out", operation: "signAccountOut",
            summary: "Sign an account out on every device"),
        accountCommand(
            "storefront", operation: "setStorefront",
            summary: "Let an account buy in another country from now on",
            description: "Apps on which it is signed in are told.", body: "SetStorefront",
            example: #"{"name": "buyer@example.com", "storefront": "DEU"}"#,
            refused: refusal(
                422, "`storefrontUnknown`: the message lists those there are.")),
    ].joined(separator: ",\n")

    /// What the owner does to an account; `refused` are refusals of its own.
    static func accountCommand(
        _ name: String, operation: String, summary: String, description: String? = nil,
        body: String = "NamedAccount", example: String = #"{"name": "buyer@example.com"}"#,
        refused: String? = nil,
        answered: (String, String) = ("The account as it is now.", "Account")
    ) -> String {
        let descriptionLine =
            description.map { "\n                \"description\": \"\($0)\"," } ?? ""
        let refusals = refused.map { "\n\($0)," } ?? ""
        return #"""
                "/control/v1/accounts/\#(name)": {
                  "post": {
                    "operationId": "\#(operation)",
                    "tags": ["accounts"],
                    "summary": "\#(summary)",\#(descriptionLine)
                    "security": [{"controlToken": []}],
            \#(requestBody(body, example: example)),
                    "responses": {
            \#(answer(200, answered.0, answered.1)),
                      "401": {"$ref": "#/components/responses/ControlTokenWrong"},
            \#(accountUnknown),\#(refusals)
            \#(withBody)
                    }
                  }
                }
            """#
    }

    private static let accountUnknown = refusal(
        404,
        "`accountUnknown`: the environment has no account of that name. `worldUnknown`, `notFound`: nothing is at this path.",
        as: "WorldUnknown")

    static let accountUpkeepSchemas = #"""
              "NamedAccount": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
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
                    \#(nullable("Environment"))
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
                    \#(nullable("Timestamp"))
                  }
                }
              },
              "SetStorefront": {
                "type": "object",
                "required": ["name", "storefront"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "storefront": {"$ref": "#/components/schemas/StorefrontCode"}
                }
              },
              "ResetPassword": {
                "type": "object",
                "required": ["name", "password"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
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
