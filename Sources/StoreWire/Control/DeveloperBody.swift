/// `POST /control/v1/developers`: a developer account, which owns apps.
package struct DeveloperBody: Codable, Hashable, Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// `GET /control/v1/developers`
package struct DevelopersBody: Codable, Hashable, Sendable {
    package let developers: [DeveloperBody]

    package init(developers: [DeveloperBody]) {
        self.developers = developers
    }
}

/// `PUT /control/v1/apps/{bundleId}/developer`
package struct AppDeveloperBody: Codable, Hashable, Sendable {
    package let developer: String

    package init(developer: String) {
        self.developer = developer
    }
}
