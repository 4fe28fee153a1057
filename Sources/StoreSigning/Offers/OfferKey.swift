import StoreVerification

/// A developer's key for signing offers: its public half and its validity.
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

    /// A new identifier: ten uppercase letters and digits, like Apple's.
    package static func makeID() -> String { makeCode(length: 10) }
}

/// An app's keys.
package struct OfferKeyRing: Sendable {
    package let bundleID: String
    /// The issuer of the app's developer account, for JWS; nil when it has none.
    package let issuerID: String?
    package let keys: [OfferKey]

    package init(bundleID: String, issuerID: String?, keys: [OfferKey]) {
        self.bundleID = bundleID
        self.issuerID = issuerID
        self.keys = keys
    }

    /// The key of an identifier, if it is valid.
    func key(_ id: String) throws(OfferSignatureRefusal) -> CurvePublicKey {
        guard let known = keys.first(where: { $0.id.isSameText(as: id) }) else {
            throw .keyUnknown
        }
        guard !known.isRevoked else { throw .keyRevoked }
        guard let key = CurvePublicKey(info: known.publicKeyInfo) else { throw .keyUnknown }
        return key
    }
}

/// An unpredictable code of uppercase letters and digits, 5 bits each. Ambiguous characters (I and
/// O, 0 and 1) are left out.
package func makeCode(length: Int) -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String(randomBytes(length).map { letters[Int($0) % letters.count] })
}

extension String {
    /// Whether both are the same bytes. `==` considers two encodings of an accented letter equal,
    /// but bytes are what was signed.
    func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
