import StoreDatabase
import StoreModel
import StoreService

extension ReadScope {
    borrowing func developers() throws -> [String] {
        try values("SELECT name FROM developer ORDER BY id")
    }

    borrowing func developerCount() throws -> Int64 {
        try value("SELECT count(*) FROM developer") ?? 0
    }

    borrowing func knownDeveloper(_ name: String) throws -> DeveloperID {
        guard let row = try row("SELECT id FROM developer WHERE name = ?1", [name]) else {
            throw Refusal(
                404, "developerUnknown",
                "This world has no developer account \"\(name.prefix(128))\".")
        }
        return try row["id"]
    }
}

extension WriteScope {
    /// False when there is one of that name already.
    borrowing func addDeveloper(_ name: String) throws -> Bool {
        if try row("SELECT 1 FROM developer WHERE name = ?1", [name]) != nil {
            return false
        }
        try insert(
            into: "developer",
            [
                "id": try next("developer"), "name": name,
            ])
        return true
    }
}
