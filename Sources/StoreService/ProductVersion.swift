/// The version of this product; the top section of `CHANGELOG.md` has the same.
package enum ProductVersion {
    package static let text = "0.1.0"
}
