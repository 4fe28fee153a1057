package import StoreModel

/// `GET /device/v1/resources?version=V`: the tags of a version of the device's app, in the order in
/// which they were added.
///
/// The files of a tag are at `GET /device/v1/resources/{tag}?version=V`, in the form of
/// `ContentManifestBody` with the tag as identifier, and their bytes at
/// `GET /device/v1/resources/{tag}/{appVersion}/{sha256}`. No account is needed.
package struct ResourceListBody: Codable, Hashable, Sendable {
    package struct Tag: Codable, Hashable, Sendable {
        package let tag: String
        package let kind: ResourceKind
        /// The bytes of all its files together.
        package let contentLength: Int64

        package init(tag: String, kind: ResourceKind, contentLength: Int64) {
            self.tag = tag
            self.kind = kind
            self.contentLength = contentLength
        }
    }

    package let tags: [Tag]

    package init(tags: [Tag]) {
        self.tags = tags
    }
}
