import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification

/// The stored form of a name that was typed: people type passwords into the wrong field.
func nameDigest(_ name: String, in environment: StoreEnvironment) -> [UInt8] {
    sha256(Array("\(environment.rawValue)/\(name)".utf8))
}

/// When the guesses that count were made. Those further ahead than a device remembers were dated by
/// a wrong clock.
private func remembered(at realNow: Timestamp) -> (from: Timestamp, to: Timestamp) {
    (
        realNow.adding(milliseconds: 1 - SignInRules.rememberedMilliseconds),
        realNow.adding(milliseconds: SignInRules.rememberedMilliseconds)
    )
}

extension ReadScope {
    /// The wrong passwords typed on a device, for whatever names, that still count.
    borrowing func signInRecord(
        onDevice device: DeviceID, realNow: Timestamp
    ) throws -> SignInRecord {
        let times = remembered(at: realNow)
        return try row(
            """
            SELECT locked_until_real_ms, (SELECT coalesce(sum(failures), 0) FROM device_guess
                WHERE device_id = device.id AND changed_real_ms BETWEEN ?2 AND ?3) AS failures
            FROM device WHERE id = ?1
            """, [device, times.from, times.to]
        ).map { try SignInRecord($0) } ?? .clean
    }
}

extension WriteScope {
    /// Counts a wrong password for a name on a device, and locks the device after too many.
    borrowing func countGuess(
        atName digest: [UInt8], onDevice device: DeviceID, realNow: Timestamp
    ) throws {
        let times = remembered(at: realNow)
        try execute(
            """
            DELETE FROM device_guess
            WHERE device_id = ?1 AND changed_real_ms NOT BETWEEN ?2 AND ?3
            """, [device, times.from, times.to])
        let record = SignInRules.afterFailure(
            try reading.signInRecord(onDevice: device, realNow: realNow),
            failuresMax: SignInRules.deviceFailuresMax, now: realNow)
        try execute(
            "UPDATE device SET locked_until_real_ms = ?2 WHERE id = ?1",
            [device, record.lockedUntil])
        try execute(
            """
            INSERT INTO device_guess (device_id, name_digest, failures, changed_real_ms)
            VALUES (?1, ?2, 1, ?3)
            ON CONFLICT (device_id, name_digest) DO UPDATE SET
                failures = device_guess.failures + 1, changed_real_ms = excluded.changed_real_ms
            """, [device, digest, realNow])
    }

    /// Forgets what was guessed at an account on a device, because somebody there knew its password.
    /// Guesses at other names stay: an account of one's own would clear them otherwise.
    borrowing func forgetGuesses(at account: Account, onDevice device: DeviceID) throws {
        try execute(
            "DELETE FROM device_guess WHERE device_id = ?1 AND name_digest = ?2",
            [device, nameDigest(account.name, in: account.environment)])
    }

    /// Forgets what was guessed at an account on all devices, and unlocks those that are locked
    /// because of it. Guesses in the other environment were made at it, too, unless an account has
    /// the same name there.
    borrowing func unlockDevices(thatGuessedAt account: Account, realNow: Timestamp) throws {
        let times = remembered(at: realNow)
        for environment in StoreEnvironment.allCases {
            let there = try reading.accountSecret(account.name, in: environment)
            guard there == nil || environment == account.environment else { continue }
            let digest = nameDigest(account.name, in: environment)
            try execute(
                """
                UPDATE device SET locked_until_real_ms = NULL
                WHERE id IN (SELECT device_id FROM device_guess WHERE name_digest = ?1)
                    AND (SELECT coalesce(sum(failures), 0) FROM device_guess
                        WHERE device_id = device.id AND name_digest <> ?1
                            AND changed_real_ms BETWEEN ?3 AND ?4) < ?2
                """, [digest, SignInRules.deviceFailuresMax, times.from, times.to])
            try execute("DELETE FROM device_guess WHERE name_digest = ?1", [digest])
        }
    }
}
