/// A file of a package of content.
package struct ContentFile: Hashable, Sendable {
    /// Relative, separated by `/`.
    package let path: String
    package let byteCount: Int64
    /// SHA-256 of its bytes, 64 hexadecimal digits in lowercase.
    package let digest: String

    package init(path: String, byteCount: Int64, digest: String) {
        self.path = path
        self.byteCount = byteCount
        self.digest = digest
    }
}
