package import StoreModel

/// `POST /control/v1/developers/{name}/secrets` and `…/apps/{bundleId}/secrets`; how long the
/// previous one is still accepted, by the real clock: a day when absent.
package struct MakeSecretBody: Codable, Hashable, Sendable {
    package let overlapMilliseconds: Int64?

    package init(overlapMilliseconds: Int64?) {
        self.overlapMilliseconds = overlapMilliseconds
    }
}

/// A shared secret in a list, without the secret itself. All times are by the real clock.
package struct SecretBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let state: SecretState
    package let madeAt: Timestamp
    /// When a replaced one ends; absent for the current one.
    package let acceptedUntil: Timestamp?
    package let revokedAt: Timestamp?

    package init(
        number: Int64, state: SecretState, madeAt: Timestamp, acceptedUntil: Timestamp?,
        revokedAt: Timestamp?
    ) {
        self.number = number
        self.state = state
        self.madeAt = madeAt
        self.acceptedUntil = acceptedUntil
        self.revokedAt = revokedAt
    }
}

/// `GET …/secrets`, newest first.
package struct SecretsBody: Codable, Hashable, Sendable {
    package let secrets: [SecretBody]

    package init(secrets: [SecretBody]) {
        self.secrets = secrets
    }
}

/// The answer to a new secret; only this answer shows it.
package struct MadeSecretBody: Codable, Hashable, Sendable {
    package let number: Int64
    /// 32 hexadecimal digits.
    package let secret: String
    package let madeAt: Timestamp

    package init(number: Int64, secret: String, madeAt: Timestamp) {
        self.number = number
        self.secret = secret
        self.madeAt = madeAt
    }
}
