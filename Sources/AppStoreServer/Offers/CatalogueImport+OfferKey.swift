import StoreDatabase
import StoreModel
import StoreSigning
import StoreWire

extension CatalogueImport {
    /// Takes over the file's offer key, and returns the file's unused settings; the key is among
    /// them, with the reason, when it cannot be taken over. Keys of earlier files stay.
    func takeOfferKey(
        into app: AppID, bundleID: String, _ scope: borrowing WriteScope
    ) throws -> [String] {
        guard let pair = file.offerKeyPair else { return file.keptUnused }
        let problem = try take(pair, into: app, bundleID: bundleID, scope)
        return file.keptUnused.compactMap { name in
            guard name == OfferKeyPair.name else { return name }
            return problem.map { "\(name) (\($0))" }
        }
    }

    /// The reason why a key is not taken over; nil when it is, or was before.
    private func take(
        _ pair: OfferKeyPair, into app: AppID, bundleID: String, _ scope: borrowing WriteScope
    ) throws -> String? {
        guard Self.isKeyID(pair.id) else {
            return "its id is not 1 to \(Limits.offerKeyIDBytesMax) letters and digits"
        }
        guard let key = try? CurvePrivateKey(pkcs8InBase64: pair.privateKey),
            let info = try? key.publicKeyInfo()
        else { return "its private key is not a P-256 key in PKCS#8" }
        // A file may bring back a revoked key, by accident or as an old copy.
        guard try !scope.wasRevoked(publicKeyInfo: info, in: app, bundleID: bundleID) else {
            return "the key was revoked"
        }
        let known = try scope.reading.offerKeys(of: app)
        if let other = known.first(where: { $0.key.id == pair.id }) {
            guard other.key.publicKeyInfo != info else { return nil }
            guard other.origin == .catalogue, other.revokedAt == nil else {
                return "the app has another key of that id"
            }
            try scope.replaceOfferKey(pair.id, publicKeyInfo: info, of: app, realNow: realNow)
            return nil
        }
        guard known.count < Limits.offerKeysMax else {
            return "the app has \(Limits.offerKeysMax) offer keys already"
        }
        _ = try scope.neededIssuerID(of: app)
        try scope.addOfferKey(
            pair.id, publicKeyInfo: info, origin: .catalogue, of: app, realNow: realNow)
        return nil
    }

    private static func isKeyID(_ text: String) -> Bool {
        (1...Limits.offerKeyIDBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0)
            }
    }
}
