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

/// What a sign-in looks at.
struct AccountSecret: Sendable {
    let account: Account
    let passwordHash: String
    let record: SignInRecord
}

extension ReadScope {
    borrowing func accountSecret(
        _ name: String, in environment: StoreEnvironment
    ) throws -> AccountSecret? {
        try row(
            """
            SELECT id, environment, name, storefront, password_hash, failures,
                locked_until_real_ms
            FROM account WHERE environment = ?1 AND name = ?2
            """, [.text(environment.rawValue), .text(name)]
        ).map { row in
            AccountSecret(
                account: try Account(row), passwordHash: row.text(4),
                record: SignInRecord(
                    failures: Int(row.integer(5)),
                    lockedUntil: row.integerOrNil(6).map { Timestamp(milliseconds: $0) }))
        }
    }

    borrowing func accounts(in environment: StoreEnvironment) throws -> [Account] {
        try rows(
            """
            SELECT id, environment, name, storefront FROM account
            WHERE environment = ?1 ORDER BY name
            """, [.text(environment.rawValue)]
        ).map { try Account($0) }
    }
}

extension WriteScope {
    /// Nil when the name is taken.
    borrowing func addAccount(
        _ name: String, in environment: StoreEnvironment, storefront: Storefront,
        passwordHash: String, now: Timestamp
    ) throws -> AccountID? {
        let taken = try row(
            "SELECT 1 FROM account WHERE environment = ?1 AND name = ?2",
            [.text(environment.rawValue), .text(name)])
        if taken != nil { return nil }
        let id = try next("account")
        try execute(
            """
            INSERT INTO account (id, environment, name, storefront, password_hash, failures,
                locked_until_real_ms, created_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, 0, NULL, ?6)
            """,
            [
                .integer(id), .text(environment.rawValue), .text(name),
                .text(storefront.countryCode), .text(passwordHash), .integer(now.milliseconds),
            ])
        return AccountID(id)
    }

    borrowing func saveSignInRecord(_ record: SignInRecord, of account: AccountID) throws {
        try execute(
            "UPDATE account SET failures = ?2, locked_until_real_ms = ?3 WHERE id = ?1",
            [
                .integer(account.rawValue), .integer(Int64(record.failures)),
                .integer(record.lockedUntil?.milliseconds),
            ])
    }
}

extension Account {
    /// From the columns id, environment, name, storefront.
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: AccountID(row.integer(0)),
            environment: try StoreEnvironment(stored: row.text(1)), name: row.text(2),
            storefront: try Storefront(stored: row.text(3)))
    }
}

extension Storefront {
    init(stored countryCode: String) throws(DatabaseError) {
        guard let storefront = Storefront(countryCode: countryCode) else {
            throw DatabaseError(
                code: .notADatabase, detail: "\"\(countryCode)\" is no storefront")
        }
        self = storefront
    }
}
