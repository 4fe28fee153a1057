/// A key that an app's developer signs offers with: its public half and what it is worth.
package struct OfferKey: Hashable, Sendable {
    package let id: String
    /// A SubjectPublicKeyInfo (DER).
    package let publicKeyInfo: [UInt8]
    package let isRevoked: Bool

    package init(id: String, publicKeyInfo: [UInt8], isRevoked: Bool) {
        self.id = id
        self.publicKeyInfo = publicKeyInfo
        self.isRevoked = isRevoked
    }

    /// A new identifier: ten capital letters and digits, as Apple's are.
    package static func makeID() -> String { makeCode(length: 10) }
}

/// An app's keys.
package struct OfferKeyRing: Sendable {
    package let bundleID: String
    /// Of the app's developer account, for JWS; nil when it has none.
    package let issuerID: String?
    package let keys: [OfferKey]

    package init(bundleID: String, issuerID: String?, keys: [OfferKey]) {
        self.bundleID = bundleID
        self.issuerID = issuerID
        self.keys = keys
    }

    /// The key of an identifier that is good.
    func key(_ id: String) throws(OfferSignatureRefusal) -> CurvePublicKey {
        guard let known = keys.first(where: { $0.id.isSameText(as: id) }) else {
            throw .keyUnknown
        }
        guard !known.isRevoked else { throw .keyRevoked }
        guard let key = CurvePublicKey(info: known.publicKeyInfo) else { throw .keyUnknown }
        return key
    }
}

/// Capital letters and digits nobody can guess, 5 bits each. Those that are taken for another, I
/// and O, 0 and 1, are left out.
package func makeCode(length: Int) -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String(randomBytes(length).map { letters[Int($0) % letters.count] })
}

extension String {
    /// Whether both are the same bytes. `==` takes two spellings of one accented letter for equal,
    /// and what was signed is bytes.
    func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
