/// Content that the store keeps for a product, as a transaction delivers it: the newest version at
/// the time of the answer.
package struct DownloadBody: Codable, Hashable, Sendable {
    /// The product's identifier.
    package let contentIdentifier: String
    /// Digits and full stops, such as `1.0`.
    package let contentVersion: String
    /// The bytes of all its files together.
    package let contentLength: Int64

    package init(contentIdentifier: String, contentVersion: String, contentLength: Int64) {
        self.contentIdentifier = contentIdentifier
        self.contentVersion = contentVersion
        self.contentLength = contentLength
    }
}

/// `GET /device/v1/transactions/{id}/content`: the content files of one of the account's unfinished
/// transactions, in their newest version.
///
/// `?version=` asks for the version that a device has begun, while it is kept. The bytes of a file
/// are at `GET /device/v1/transactions/{id}/content/{version}/{sha256}`, which accepts
/// `Range: bytes=a-b`; a part of a file is answered 206 with `Content-Range`, and `ETag` is the
/// digest in quotation marks.
package struct ContentManifestBody: Codable, Hashable, Sendable {
    package let contentIdentifier: String
    package let contentVersion: String
    package let contentLength: Int64
    /// By path. Two files may have the same digest: their bytes are fetched once.
    package let files: [ContentFileBody]

    package init(
        contentIdentifier: String, contentVersion: String, contentLength: Int64,
        files: [ContentFileBody]
    ) {
        self.contentIdentifier = contentIdentifier
        self.contentVersion = contentVersion
        self.contentLength = contentLength
        self.files = files
    }
}

/// A file of a package.
package struct ContentFileBody: Codable, Hashable, Sendable {
    /// Relative, separated by `/`; never contains `.` or `..` as a part, or a control character.
    package let path: String
    /// Bytes.
    package let size: Int64
    /// 64 hexadecimal digits in lowercase.
    package let sha256: String

    package init(path: String, size: Int64, sha256: String) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}
