import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Makes, lists and revokes the keys that an app's developer signs promotional offers with.
enum OfferKeyService {
    static func list(_ call: StoreCall, app bundleID: String) throws -> OfferKeysBody {
        return try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            return OfferKeysBody(
                issuerId: try scope.issuerID(of: app),
                keys: try scope.offerKeys(of: app).map { OfferKeyBody($0) })
        }
    }

    /// `POST …/offer-keys`: makes a new one; no other answer ever shows its private half. Earlier
    /// ones stay valid.
    static func make(_ call: StoreCall, app bundleID: String) async throws -> MadeOfferKeyBody {
        let key = try CurvePrivateKey.make()
        let publicKeyInfo = try key.publicKeyInfo()
        let text = String(decoding: try key.pem(), as: UTF8.self)
        let id = OfferKey.makeID()
        let now = call.world.time.real()
        let issuerID = try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID).id
            guard try scope.reading.offerKeys(of: app).count < Limits.offerKeysMax
            else {
                throw Refusal(
                    409, "tooManyOfferKeys",
                    "This app has \(Limits.offerKeysMax) offer keys, including revoked ones, which "
                        + "is the limit.")
            }
            try scope.addOfferKey(
                id, publicKeyInfo: publicKeyInfo, origin: .made, of: app, realNow: now)
            return try scope.neededIssuerID(of: app)
        }
        call.log.event(
            StoreEvent.offerKeyMade, ("app", .text(bundleID)), ("key", .text(id)))
        return MadeOfferKeyBody(
            keyId: id, issuerId: issuerID, privateKey: text, madeAt: now)
    }

    /// `DELETE …/offer-keys/{key}`: revokes it for good; everything that it signs or signed is
    /// refused from now on.
    static func revoke(_ call: StoreCall, app bundleID: String, key: String) async throws
        -> OfferKeyBody
    {
        let now = call.world.time.real()
        let revoked = try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID).id
            guard let revoked = try scope.revokeOfferKey(key, of: app, realNow: now) else {
                throw Refusal(
                    404, "offerKeyUnknown", "The app has no offer key \"\(key.prefix(64))\".")
            }
            return revoked
        }
        call.log.event(
            StoreEvent.offerKeyRevoked, ("app", .text(bundleID)), ("key", .text(key)))
        return OfferKeyBody(revoked)
    }
}

extension OfferKeyBody {
    init(_ row: OfferKeyRow) {
        self.init(
            keyId: row.key.id, origin: row.origin, madeAt: row.madeAt, revokedAt: row.revokedAt)
    }
}
