package import StoreModel

/// The syntax of product identifiers.
///
/// App Store Connect accepts letters, digits, points and underscores; files written by hand also
/// use hyphens, which Xcode accepts, so they are accepted here.
package enum ProductIDSyntax {
    /// The longest product identifier, in characters.
    package static let lengthMax = 255

    package struct Fault: Error, Hashable, Sendable {
        package let message: String
    }

    /// The identifier, or why the text is not one.
    package static func check(_ text: String) throws(Fault) -> ProductID {
        guard !text.isEmpty else { throw Fault(message: "a product identifier is empty") }
        guard text.utf8.count <= lengthMax else {
            throw Fault(
                message: "\(quoted(text)) is longer than \(lengthMax) characters")
        }
        guard text.utf8.allSatisfy(isAllowed) else {
            throw Fault(
                message: "\(quoted(text)) is not a product identifier; use only letters A to Z,"
                    + " digits, \".\", \"_\" and \"-\"")
        }
        guard !PathName.isOnlyDots(text) else {
            throw Fault(
                message: "\(quoted(text)) is not a product identifier; use more than full stops")
        }
        return ProductID(text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
