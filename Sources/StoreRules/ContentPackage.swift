package import StoreModel

/// A package of content that the store may keep: data under names that work on every device.
///
/// Made from unverified input; the contents of the files are checked when their bytes arrive.
package struct ContentPackage: Hashable, Sendable {
    package static let filesMax = 10_000
    /// Bytes of all files together: 2 GiB, like Apple's limit.
    package static let bytesMax: Int64 = 2 << 30
    package static let pathBytesMax = 1_024
    package static let nameBytesMax = 255
    package static let depthMax = 32
    package static let versionBytesMax = 32

    package static let appVersionBytesMax = 64

    /// Of a product's content: digits and full stops, such as `1.0`. Of on-demand resources: the
    /// app's version.
    package let version: String
    /// By path.
    package let files: [ContentFile]
    package let byteCount: Int64

    /// A product's content. Throws the first reason, in the order of the checks.
    package init(version: String, files: [ContentFile]) throws(ContentRefusal) {
        guard Self.isVersion(version) else { throw .badVersion(version) }
        try self.init(checked: version, files)
    }

    /// A tag's on-demand resources in a version of the app.
    package init(appVersion: String, files: [ContentFile]) throws(ContentRefusal) {
        guard Self.isAppVersion(appVersion) else { throw .badAppVersion(appVersion) }
        try self.init(checked: appVersion, files)
    }

    private init(checked version: String, _ files: [ContentFile]) throws(ContentRefusal) {
        guard !files.isEmpty else { throw .empty }
        guard files.count <= Self.filesMax else { throw .tooManyFiles }
        var byteCount: Int64 = 0
        var sizes: [String: Int64] = [:]
        for file in files {
            try Self.check(file)
            let (sum, hasOverflow) = byteCount.addingReportingOverflow(file.byteCount)
            guard !hasOverflow, sum <= Self.bytesMax else { throw .tooLarge }
            byteCount = sum
            let known = sizes.updateValue(file.byteCount, forKey: file.digest)
            guard known ?? file.byteCount == file.byteCount else { throw .badDigest(file.path) }
        }
        self.version = version
        self.files = files.sorted { $0.path < $1.path }
        self.byteCount = byteCount
        try ContentNames.check(self.files.map(\.path))
    }

    /// The digests, each once.
    package var digests: Set<String> { Set(files.map(\.digest)) }

    package static func isVersion(_ text: String) -> Bool {
        text.utf8.count <= versionBytesMax
            && text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
                .allSatisfy { part in
                    !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
                }
    }

    /// Whether a device can register with it as its app's version: ASCII without blanks.
    package static func isAppVersion(_ text: String) -> Bool {
        (1...appVersionBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func check(_ file: ContentFile) throws(ContentRefusal) {
        if let problem = ContentNames.problem(of: file.path) {
            throw .badPath(file.path, problem)
        }
        guard file.byteCount >= 0 else { throw .badSize(file.path) }
        guard isDigest(file.digest) else { throw .badDigest(file.path) }
        if let kind = CodeKind(path: file.path) { throw .code(file.path, kind) }
    }

    /// Whether a text is 64 hexadecimal digits in lowercase.
    package static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }
}
