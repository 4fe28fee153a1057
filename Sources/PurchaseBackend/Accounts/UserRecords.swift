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
        return try scope.row(sql, [nameKey]).map { row in
            UserRow(
                id: try row["id"], name: try row["name"], nameKey: try row["name_key"],
                passwordHash: try row["password_hash"], createdAt: try row["created_at"])
        }
    }

    /// False when the name is taken.
    static func insert(_ scope: borrowing WriteScope, _ user: UserRow) throws -> Bool {
        try scope.insert(
            into: "users",
            [
                "id": user.id, "name": user.name, "name_key": user.nameKey,
                "password_hash": user.passwordHash, "created_at": user.createdAt,
            ], "ON CONFLICT (name_key) DO NOTHING") == 1
    }
}
