/// `POST /v1/users` and `POST /v1/sessions` of a purchase backend.
package struct BackendCredentialsBody: Codable, Hashable, Sendable {
    package let name: String
    package let password: String

    package init(name: String, password: String) {
        self.name = name
        self.password = password
    }
}

/// The answer to sign-up and sign-in. The token goes into `Authorization: Bearer`.
package struct BackendSessionBody: Codable, Hashable, Sendable {
    package let userId: String
    package let token: String

    package init(userId: String, token: String) {
        self.userId = userId
        self.token = token
    }
}

/// An `ErrorBody` that also says after how many seconds to try again.
package struct RetryLaterBody: Codable, Hashable, Sendable {
    package let error: ErrorBody.Detail
    package let retryAfterSeconds: Int

    package init(code: String, message: String, retryAfterSeconds: Int) {
        error = ErrorBody.Detail(code: code, message: message)
        self.retryAfterSeconds = retryAfterSeconds
    }
}
