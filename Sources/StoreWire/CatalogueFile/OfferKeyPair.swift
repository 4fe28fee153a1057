/// The key of a catalogue file that promotional offers are signed with in tests; nothing of it is
/// checked but its shape.
package struct OfferKeyPair: Hashable, Sendable {
    /// As it stands in a file, and in `CatalogueFile.keptUnused`.
    package static let name = "subscriptionOffersKeyPair"

    /// Eight hexadecimal digits in Xcode's files.
    package let id: String
    /// PKCS#8 (DER) in base64.
    package let privateKey: String

    init?(_ value: JSONValue?) {
        guard let id = value?["id"]?.string, let key = value?["privateKey"]?.string else {
            return nil
        }
        self.id = id
        privateKey = key
    }
}
