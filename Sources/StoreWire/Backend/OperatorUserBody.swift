/// `GET /operator/v1/users`: a page of users, by their names.
package struct OperatorUsersBody: Codable, Hashable, Sendable {
    package let users: [OperatorUserBody]
    /// The `after` of the next page; absent on the last.
    package let nextAfter: String?

    package init(users: [OperatorUserBody], nextAfter: String?) {
        self.users = users
        self.nextAfter = nextAfter
    }
}

/// A user of the backend as its operator sees them.
package struct OperatorUserBody: Codable, Hashable, Sendable {
    package let userId: String
    package let userName: String
    /// Milliseconds since 1970.
    package let createdAt: Int64

    package init(userId: String, userName: String, createdAt: Int64) {
        self.userId = userId
        self.userName = userName
        self.createdAt = createdAt
    }
}
