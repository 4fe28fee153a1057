import StoreDatabase
import StoreModel
import StoreRules

/// An account as the store keeps it.
struct Account: Sendable {
    let id: AccountID
    let environment: StoreEnvironment
    let name: String
    let storefront: Storefront
}

/// The facts that a sign-in is checked against.
struct AccountSecret: Sendable {
    let account: Account
    /// Nil for an account that nobody signs in to by name.
    let passwordHash: String?
    let record: SignInRecord
    /// Nil when the owner did not lock it.
    let lock: AccountLock?
}

/// A lock that the owner set.
struct AccountLock: Sendable {
    /// Shown to the customer; may be empty.
    let reason: String
    /// By the real clock; nil for one that only the owner ends.
    let until: Timestamp?

    func holds(at realNow: Timestamp) -> Bool { until.map { realNow < $0 } ?? true }
}

extension ReadScope {
    /// Nil for a deleted account, too.
    borrowing func accountSecret(
        _ name: String, in environment: StoreEnvironment
    ) throws -> AccountSecret? {
        try row(
            """
            SELECT id, environment, name, storefront, failures, locked_until_real_ms,
                lock_reason, lock_until_real_ms, password_hash
            FROM account WHERE environment = ?1 AND name = ?2 AND deleted_ms IS NULL
            """, [environment, name]
        ).map { row in
            let hash: String = try row["password_hash"]
            return AccountSecret(
                account: try Account(row), passwordHash: hash.isEmpty ? nil : hash,
                record: try SignInRecord(row), lock: try AccountLock(row))
        }
    }

    /// Where an account buys; nil when it is gone.
    borrowing func storefront(of account: AccountID) throws -> Storefront? {
        try value("SELECT storefront FROM account WHERE id = ?1", [account])
    }

    /// The apps with devices on which an account is signed in.
    borrowing func appsSignedIn(_ account: AccountID) throws -> [AppID] {
        try values(
            """
            SELECT DISTINCT device.app_id FROM device_token
            JOIN device ON device.id = device_token.device_id
            WHERE device_token.account_id = ?1 ORDER BY device.app_id
            """, [account])
    }

    /// How many accounts there are that were not deleted, up to a number.
    borrowing func accountCount(max: Int) throws -> Int {
        try value(
            "SELECT count(*) FROM (SELECT 1 FROM account WHERE deleted_ms IS NULL LIMIT ?1)", [max])
            ?? 0
    }

    /// How often a name that no account has was guessed.
    borrowing func unknownNameRecord(digest: [UInt8]) throws -> SignInRecord {
        try row(
            "SELECT failures, locked_until_real_ms FROM unknown_name WHERE digest = ?1", [digest]
        ).map { try SignInRecord($0) } ?? .clean
    }
}

extension WriteScope {
    /// Nil when the name is taken. Without a password, only the owner signs it in.
    borrowing func addAccount(
        _ name: String, in environment: StoreEnvironment, storefront: Storefront,
        passwordHash: String?, now: Timestamp
    ) throws -> AccountID? {
        let taken = try row(
            "SELECT 1 FROM account WHERE environment = ?1 AND name = ?2", [environment, name])
        if taken != nil { return nil }
        let id = try next("account")
        try insert(
            into: "account",
            [
                "id": id, "environment": environment, "name": name,
                "storefront": storefront.countryCode, "password_hash": passwordHash ?? "",
                "failures": 0,
                "created_ms": now,
            ])
        return AccountID(id)
    }

    borrowing func saveSignInRecord(_ record: SignInRecord, of account: AccountID) throws {
        try execute(
            "UPDATE account SET failures = ?2, locked_until_real_ms = ?3 WHERE id = ?1",
            [account, record.failures, record.lockedUntil])
    }

    /// Remembers a guess at a name that no account has, and forgets the oldest beyond `countMax`.
    borrowing func saveUnknownName(
        digest: [UInt8], _ record: SignInRecord, realNow: Timestamp,
        countMax: Int = Limits.unknownNamesMax
    ) throws {
        try execute(
            """
            INSERT INTO unknown_name (digest, failures, locked_until_real_ms, changed_real_ms)
            VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (digest) DO UPDATE SET failures = ?2, locked_until_real_ms = ?3,
                changed_real_ms = ?4
            """, [digest, record.failures, record.lockedUntil, realNow])
        try execute(
            """
            DELETE FROM unknown_name WHERE changed_real_ms < (
                SELECT changed_real_ms FROM unknown_name ORDER BY changed_real_ms DESC
                LIMIT 1 OFFSET ?1)
            """, [countMax - 1])
    }

    /// Sets the owner's lock; nil removes it.
    borrowing func setLock(_ lock: AccountLock?, of account: AccountID) throws {
        try execute(
            "UPDATE account SET lock_reason = ?2, lock_until_real_ms = ?3 WHERE id = ?1",
            [account, lock?.reason, lock?.until])
    }

    borrowing func setStorefront(_ storefront: Storefront, of account: AccountID) throws {
        try execute(
            "UPDATE account SET storefront = ?2 WHERE id = ?1", [account, storefront.countryCode])
    }

    borrowing func setPasswordHash(_ hash: String, of account: AccountID) throws {
        try execute(
            "UPDATE account SET password_hash = ?2 WHERE id = ?1", [account, hash])
    }
}

extension SignInRecord {
    /// From the columns failures, locked_until_real_ms.
    init(_ row: Row) throws(DatabaseError) {
        self.init(failures: try row["failures"], lockedUntil: try row["locked_until_real_ms"])
    }
}

extension AccountLock {
    /// From the columns lock_reason, lock_until_real_ms; nil without a reason.
    init?(_ row: Row) throws(DatabaseError) {
        guard let reason: String = try row["lock_reason"] else { return nil }
        self.init(reason: reason, until: try row["lock_until_real_ms"])
    }
}

extension Account {
    /// From the columns id, environment, name, storefront.
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: try row["id"], environment: try row["environment"], name: try row["name"],
            storefront: try row["storefront"])
    }
}

extension Storefront {
    init(stored countryCode: String) throws(DatabaseError) {
        guard let storefront = Storefront(countryCode: countryCode) else {
            throw DatabaseError(
                code: .notADatabase, detail: "\"\(countryCode)\" is not a storefront")
        }
        self = storefront
    }
}
