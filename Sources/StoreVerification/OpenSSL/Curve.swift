/// A curve of elliptic keys.
package enum Curve: Sendable {
    case p256
    case p384

    package var title: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        }
    }

    /// OpenSSL's name of the curve.
    package var name: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        }
    }

    /// Whether OpenSSL's name of a key's curve, which ends with a zero, is this one's.
    package func isNamed(_ name: [CChar]) -> Bool {
        name.prefix { $0 != 0 }.elementsEqual(self.name.utf8.map { CChar($0) })
    }
}
