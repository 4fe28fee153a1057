package import StoreModel

/// `POST /control/v1/apps/{bundleId}/products/{productId}/content-uploads`: begins a new version of
/// a product's content, or continues one.
package struct BeginContentBody: Codable, Hashable, Sendable {
    /// Digits and full stops, such as `1.0`.
    package let contentVersion: String
    package let files: [ContentFileBody]

    package init(contentVersion: String, files: [ContentFileBody]) {
        self.contentVersion = contentVersion
        self.files = files
    }
}

/// The bytes to send before the upload can be committed.
package struct ContentUploadBody: Codable, Hashable, Sendable {
    /// The same for the same files under the same version.
    package let uploadId: String
    /// The most bytes of one part.
    package let partBytesMax: Int64
    package let missing: [MissingContentBody]

    package init(uploadId: String, partBytesMax: Int64, missing: [MissingContentBody]) {
        self.uploadId = uploadId
        self.partBytesMax = partBytesMax
        self.missing = missing
    }
}

/// Bytes that the store does not have, or not completely.
package struct MissingContentBody: Codable, Hashable, Sendable {
    package let sha256: String
    package let size: Int64
    /// How many of them the store has; the next part begins here.
    package let received: Int64

    package init(sha256: String, size: Int64, received: Int64) {
        self.sha256 = sha256
        self.size = size
        self.received = received
    }
}

/// The answer to `PUT …/content-uploads/{uploadId}/files/{sha256}?offset=N`, whose body is a part of
/// the bytes.
package struct ContentPartBody: Codable, Hashable, Sendable {
    package let sha256: String
    package let size: Int64
    package let received: Int64

    package init(sha256: String, size: Int64, received: Int64) {
        self.sha256 = sha256
        self.size = size
        self.received = received
    }
}

/// A version of a product's content, as the owner sees it.
package struct ContentVersionBody: Codable, Hashable, Sendable {
    package let productId: String
    package let contentVersion: String
    /// Whether purchases deliver this version; the others are kept for devices that have begun
    /// them.
    package let isCurrent: Bool
    package let fileCount: Int64
    package let contentLength: Int64
    /// By the world's clock.
    package let addedAt: Timestamp

    package init(
        productId: String, contentVersion: String, isCurrent: Bool, fileCount: Int64,
        contentLength: Int64, addedAt: Timestamp
    ) {
        self.productId = productId
        self.contentVersion = contentVersion
        self.isCurrent = isCurrent
        self.fileCount = fileCount
        self.contentLength = contentLength
        self.addedAt = addedAt
    }
}

/// `GET /control/v1/apps/{bundleId}/content`: by product, the newest version first.
package struct ContentVersionsBody: Codable, Hashable, Sendable {
    package let versions: [ContentVersionBody]

    package init(versions: [ContentVersionBody]) {
        self.versions = versions
    }
}

/// The answer to `DELETE /control/v1/apps/{bundleId}/products/{productId}/content` and
/// `…/content/{version}`; the same when repeated.
package struct RemovedContentBody: Codable, Hashable, Sendable {
    package let productId: String
    /// The removed versions.
    package let removed: [String]
    /// The version that purchases now deliver; absent when none is left.
    package let currentVersion: String?

    package init(productId: String, removed: [String], currentVersion: String?) {
        self.productId = productId
        self.removed = removed
        self.currentVersion = currentVersion
    }
}
