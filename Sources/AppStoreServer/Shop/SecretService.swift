import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Makes, lists and revokes the shared secrets of developer accounts and of single apps.
enum SecretService {
    /// The owner of the secrets, as a request's path names it.
    enum Owner: Sendable {
        case developer(String)
        case app(String)
    }

    static func list(_ call: StoreCall, of owner: Owner) throws -> SecretsBody {
        let now = call.world.time.real()
        let secrets = try call.world.database.read { scope in
            try scope.secrets(
                of: try scope.found(owner), countMax: Limits.secretsPerAnswerMax)
        }
        return SecretsBody(secrets: secrets.map { SecretBody($0, now: now) })
    }

    /// `POST …/secrets`: makes a new one; no other answer ever shows it. Earlier ones stay accepted
    /// for the overlap.
    static func make(_ call: StoreCall, _ body: MakeSecretBody?, of owner: Owner) async throws
        -> MadeSecretBody
    {
        let overlap = body?.overlapMilliseconds ?? SecretRules.overlapMillisecondsUsual
        guard (0...SecretRules.overlapMillisecondsMax).contains(overlap) else {
            throw Refusal(
                422, "badField",
                "overlapMilliseconds must be 0 to \(SecretRules.overlapMillisecondsMax) (30 days).")
        }
        let secret = hexadecimal(randomBytes(16))
        let now = call.world.time.real()
        let id = try await call.context.commit { scope in
            let owner = try scope.reading.found(owner)
            try checkRoom(of: owner, scope)
            try endOthers(of: owner, overlap: overlap, now: now, scope)
            return try scope.addSecret(
                digest: sha256(Array(secret.utf8)), of: owner, realNow: now)
        }
        call.log.event(StoreEvent.secretMade, ("secret", .number(id.rawValue)))
        return MadeSecretBody(number: id.rawValue, secret: secret, madeAt: now)
    }

    /// `DELETE …/secrets/{number}`: revokes it for good.
    static func revoke(_ call: StoreCall, of owner: Owner, number: String) async throws
        -> SecretBody
    {
        let now = call.world.time.real()
        let secret = try await call.context.commit { scope in
            let owner = try scope.reading.found(owner)
            let revoked = try Int64(number).flatMap {
                try scope.revokeSecret($0, of: owner, realNow: now)
            }
            guard let revoked else {
                throw Refusal(
                    404, "secretUnknown", "There is no shared secret \"\(number.prefix(32))\" here."
                )
            }
            return revoked
        }
        call.log.event(StoreEvent.secretRevoked, ("secret", .number(secret.id.rawValue)))
        return SecretBody(secret, now: now)
    }

    /// The list of an owner's secrets only grows, so that anyone can see what was accepted when.
    private static func checkRoom(of owner: SecretOwner, _ scope: borrowing WriteScope) throws {
        let kept = try scope.reading.secretCount(of: owner)
        guard kept < Limits.secretsKeptMax else {
            throw Refusal(
                409, "tooManySecretsKept",
                "This owner has \(Limits.secretsKeptMax) shared secrets, including ended ones, "
                    + "which is the limit; make one for another owner, an app or a developer "
                    + "account.")
        }
    }

    private static func endOthers(
        of owner: SecretOwner, overlap: Int64, now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        let accepted = try scope.reading.acceptedSecrets(of: owner, realNow: now)
        for secret in accepted {
            try scope.endSecret(
                secret.id,
                at: SecretRules.end(of: secret.term, afterOverlap: overlap, now: now))
        }
        let left = overlap > 0 ? accepted.count : 0
        guard left < SecretRules.acceptedMax else {
            throw Refusal(
                409, "tooManySecrets",
                "\(SecretRules.acceptedMax) shared secrets are already accepted here; revoke some "
                    + "first.")
        }
    }
}

extension ReadScope {
    fileprivate borrowing func found(_ owner: SecretService.Owner) throws -> SecretOwner {
        switch owner {
        case .developer(let name): .developer(try knownDeveloper(name))
        case .app(let bundleID): .app(try knownApp(bundleID).id)
        }
    }
}

extension SecretBody {
    init(_ secret: SecretRow, now: Timestamp) {
        self.init(
            number: secret.id.rawValue, state: SecretRules.state(of: secret.term, now: now),
            madeAt: secret.madeAt, acceptedUntil: secret.term.acceptedUntil,
            revokedAt: secret.term.revokedAt)
    }
}
