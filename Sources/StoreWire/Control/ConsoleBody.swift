package import StoreModel

/// `POST /console/v1/codes`, which may also have no body.
package struct MakeConsoleCodeBody: Codable, Hashable, Sendable {
    /// Whether a session that the code begins can change nothing; false when absent.
    package let isReadOnly: Bool?

    package init(isReadOnly: Bool?) {
        self.isReadOnly = isReadOnly
    }
}

/// A code that begins a session of the console, once.
package struct ConsoleCodeBody: Codable, Hashable, Sendable {
    package let code: String
    /// The console's path, with the code in its fragment, which browsers send to nobody.
    package let path: String
    /// By the real clock.
    package let expiresAt: Timestamp

    package init(code: String, path: String, expiresAt: Timestamp) {
        self.code = code
        self.path = path
        self.expiresAt = expiresAt
    }
}

/// `POST /console/v1/sessions`: one of code and token.
package struct OpenConsoleBody: Codable, Hashable, Sendable {
    package let code: String?
    /// The server's own: a store's control token, a backend's operator token.
    package let token: String?
    /// Whether the session can change nothing; false when absent. A code's own cannot be taken back.
    package let isReadOnly: Bool?

    package init(code: String? = nil, token: String? = nil, isReadOnly: Bool? = nil) {
        self.code = code
        self.token = token
        self.isReadOnly = isReadOnly
    }
}

/// Which server a console belongs to.
package enum ConsoleServer: String, Codable, CaseIterable, Sendable {
    case store
    case backend
}

/// A session that has begun.
package struct OpenedConsoleBody: Codable, Hashable, Sendable {
    /// Sent as `Authorization: Bearer …`; nobody can be told it again.
    package let session: String
    package let server: ConsoleServer
    package let isReadOnly: Bool
    /// By the real clock; it ends earlier when nobody uses it.
    package let expiresAt: Timestamp
    /// How long it lasts without use.
    package let idleSeconds: Int64

    package init(session: String, _ facts: ConsoleSessionBody) {
        self.session = session
        server = facts.server
        isReadOnly = facts.isReadOnly
        expiresAt = facts.expiresAt
        idleSeconds = facts.idleSeconds
    }
}

/// `GET /console/v1/session`: the session of the request.
package struct ConsoleSessionBody: Codable, Hashable, Sendable {
    package let server: ConsoleServer
    package let isReadOnly: Bool
    /// By the real clock; it ends earlier when nobody uses it.
    package let expiresAt: Timestamp
    /// How long it lasts without use.
    package let idleSeconds: Int64

    package init(
        server: ConsoleServer, isReadOnly: Bool, expiresAt: Timestamp, idleSeconds: Int64
    ) {
        self.server = server
        self.isReadOnly = isReadOnly
        self.expiresAt = expiresAt
        self.idleSeconds = idleSeconds
    }
}
