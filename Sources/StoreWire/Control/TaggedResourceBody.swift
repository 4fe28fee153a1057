package import StoreModel

/// `POST /control/v1/apps/{bundleId}/resources/{appVersion}/{tag}/uploads`: begins the on-demand
/// resources of a tag in a version of the app, or continues them.
package struct BeginResourceBody: Codable, Hashable, Sendable {
    package let kind: ResourceKind
    package let files: [ContentFileBody]

    package init(kind: ResourceKind, files: [ContentFileBody]) {
        self.kind = kind
        self.files = files
    }
}

/// The on-demand resources of a tag in a version of the app, as the owner sees them.
package struct TaggedResourceBody: Codable, Hashable, Sendable {
    package let tag: String
    package let appVersion: String
    package let kind: ResourceKind
    package let fileCount: Int64
    package let contentLength: Int64
    /// By the world's clock.
    package let addedAt: Timestamp

    package init(
        tag: String, appVersion: String, kind: ResourceKind, fileCount: Int64,
        contentLength: Int64, addedAt: Timestamp
    ) {
        self.tag = tag
        self.appVersion = appVersion
        self.kind = kind
        self.fileCount = fileCount
        self.contentLength = contentLength
        self.addedAt = addedAt
    }
}

/// `GET /control/v1/apps/{bundleId}/resources`: in the order in which they were added.
package struct TaggedResourcesBody: Codable, Hashable, Sendable {
    package let resources: [TaggedResourceBody]

    package init(resources: [TaggedResourceBody]) {
        self.resources = resources
    }
}

/// The answer to `DELETE /control/v1/apps/{bundleId}/resources/{appVersion}/{tag}`; the same when
/// repeated.
package struct RemovedResourceBody: Codable, Hashable, Sendable {
    package let tag: String
    package let appVersion: String

    package init(tag: String, appVersion: String) {
        self.tag = tag
        self.appVersion = appVersion
    }
}
