import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum UserEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "POST", "/v1/users", "signUp", "Sign up; also signs in",
            body: RequestBody(
                .schema([
                    "type": "object", "required": ["name", "password"],
                    "properties": [
                        "name": [
                            "type": "string",
                            "description": """
                            Without control characters, and without blanks at its \
                            ends.
                            """,
                            "pattern": #"""
                            ^[^\s\u0000-\u001f\u007f-\u009f]([^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f])?$
                            """#, "minLength": .integer(BackendLimits.userNameScalarsMin),
                            "maxLength": .integer(BackendLimits.userNameScalarsMax),
                        ],
                        "password": [
                            "type": "string",
                            "minLength": .integer(BackendLimits.passwordScalarsMin),
                            "maxLength": .integer(BackendLimits.passwordScalarsMax),
                        ],
                    ],
                ]), example: ["name": "driver", "password": "steering-wheel-1"],
                mustBeDeclared: true),
            answers: [Answer(201, "Created and signed in.", .json(BackendSessionBody.self))],
            refuses: [
                409: "`nameTaken`: names that look the same are the same.",
                422: "`badName`, `badPassword`: the message says what is required.",
                429: """
                `tooManySignUps`: \(BackendLimits.signUpsAtOnceMax) users at once, and \
                \(BackendLimits.signUpsPerMinuteMax) a minute after that; \
                `retryAfterSeconds` says how long to wait.
                """,
            ],
            .raw { call, _ in try call.parts.accounts.signUp(call.context) }
        ),
        Endpoint(
            "POST", "/v1/sessions", "signIn", "Sign in",
            about: """
                A device that sends the token of an earlier session goes first, and strangers' \
                wrong passwords do not lock it out.
                """,
            body: RequestBody(
                .schema([
                    "type": "object", "required": ["name", "password"],
                    "properties": ["name": ["type": "string"], "password": ["type": "string"]],
                ]), example: ["name": "driver", "password": "steering-wheel-1"],
                mustBeDeclared: true),
            answers: [Answer(200, "Signed in.", .json(BackendSessionBody.self))],
            refuses: [
                401: "`wrongNameOrPassword`: no such user, or a wrong password.",
                423: """
                `lockedOut`: \(BackendLimits.guessesMax) wrong passwords; \
                `retryAfterSeconds` says how long to wait.
                """,
            ],
            .raw { call, _ in try call.parts.accounts.signIn(call.context) }
        ),
        Endpoint(
            "DELETE", "/v1/sessions", "signOut", "End the session of the token",
            answers: [Answer(204, "Ended.")],
            .raw { call, _ in try call.parts.accounts.signOut(call.context) }
        ),
    ]

}

extension BackendSessionBody: Described {
    package static var schemaName: String? { "Session" }
    package static let notes: Notes = [
        "": [
            "example": [
                "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I",
                "userId": "u-000000000000000000000001",
            ]
        ],
        "userId": ["pattern": "^u-[0-9a-f]{24}$"],
        "token": ["minLength": 1],
    ]
}
