import StoreHTTP

extension BackendDocument {
    static let users = #"""
            "/v1/users": {
              "post": {
                "operationId": "signUp",
                "tags": ["users"],
                "summary": "Become a user; signs in at once",
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "required": ["name", "password"],
                        "properties": {
                          "name": {
                            "type": "string",
                            "description": "Without control characters, and without blanks at its ends.",
                            "pattern": "^[^\\s\\u0000-\\u001f\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$",
                            "minLength": \#(BackendLimits.userNameScalarsMin),
                            "maxLength": \#(BackendLimits.userNameScalarsMax)
                          },
                          "password": {
                            "type": "string",
                            "minLength": \#(BackendLimits.passwordScalarsMin),
                            "maxLength": \#(BackendLimits.passwordScalarsMax)
                          }
                        }
                      },
                      "example": {"name": "driver", "password": "steering-wheel-1"}
                    }
                  }
                },
                "responses": {
        \#(answer(201, "Made, and signed in.", "Session")),
        \#(refusal(409, "`nameTaken`: names that look the same are the same.")),
        \#(refusal(422, "`badName`, `badPassword`: the message says what they must be like.")),
        \#(refusal(429, "`tooManySignUps`: \(BackendLimits.signUpsAtOnceMax) users at once, and \(BackendLimits.signUpsPerMinuteMax) a minute from then on; `retryAfterSeconds` says how long.")),
        \#(withBody)
                }
              }
            },
            "/v1/sessions": {
              "post": {
                "operationId": "signIn",
                "tags": ["users"],
                "summary": "Sign in",
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "required": ["name", "password"],
                        "properties": {
                          "name": {"type": "string"},
                          "password": {"type": "string"}
                        }
                      },
                      "example": {"name": "driver", "password": "steering-wheel-1"}
                    }
                  }
                },
                "responses": {
        \#(answer(200, "Signed in.", "Session")),
        \#(refusal(401, "`wrongNameOrPassword`: no such user, or another password.", as: "NotSignedIn")),
        \#(refusal(423, "`lockedOut`: \(BackendLimits.guessesMax) wrong passwords; `retryAfterSeconds` says how long.")),
        \#(withBody)
                }
              },
              "delete": {
                "operationId": "signOut",
                "tags": ["users"],
                "summary": "End the session of the token",
                "security": [{"userToken": []}],
                "responses": {
                  "204": {"description": "Ended."},
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
        \#(withoutBody)
                }
              }
            }
        """#

    static let userSchemas = #"""
              "Session": {
                "type": "object",
                "required": ["userId", "token"],
                "properties": {
                  "userId": {"type": "string", "pattern": "^u-[0-9a-f]{24}$"},
                  "token": {"type": "string", "minLength": 1}
                },
                "example": {
                  "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I",
                  "userId": "u-000000000000000000000001"
                }
              }
        """#
}
