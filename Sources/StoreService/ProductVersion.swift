/// The version of this product, equal to the top section of `CHANGELOG.md`.
package enum ProductVersion {
    package static let text = "0.2.0"
}
