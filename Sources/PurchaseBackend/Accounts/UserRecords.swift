import StoreDatabase
import StoreModel

/// A user as the table holds it.
struct UserRow: Hashable, Sendable {
    let id: BackendUserID
    let name: String
    let nameKey: String
    let passwordHash: String
    let createdAt: Timestamp
}

enum UserRecords {
    static func find(_ scope: borrowing ReadScope, nameKey: String) throws -> UserRow? {
        let sql = """
            SELECT id, name, name_key, password_hash, created_at FROM users WHERE name_key = ?
            """
        return try scope.row(sql, [.text(nameKey)]).map { row in
            UserRow(
                id: BackendUserID(row.text(0)), name: row.text(1), nameKey: row.text(2),
                passwordHash: row.text(3), createdAt: Timestamp(milliseconds: row.integer(4)))
        }
    }

    /// False when the name is taken.
    static func insert(_ scope: borrowing WriteScope, _ user: UserRow) throws -> Bool {
        try scope.execute(
            """
            INSERT INTO users (id, name, name_key, password_hash, created_at)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT (name_key) DO NOTHING
            """,
            [
                .text(user.id.rawValue), .text(user.name), .text(user.nameKey),
                .text(user.passwordHash), .integer(user.createdAt.milliseconds),
            ]) == 1
    }
}
