import StoreDatabase
import StoreModel
import StoreService

extension ReadScope {
    borrowing func developers() throws -> [String] {
        try rows("SELECT name FROM developer ORDER BY id").map { $0.text(0) }
    }

    borrowing func developerCount() throws -> Int64 {
        try row("SELECT count(*) FROM developer")?.integer(0) ?? 0
    }

    borrowing func knownDeveloper(_ name: String) throws -> DeveloperID {
        guard let row = try row("SELECT id FROM developer WHERE name = ?1", [.text(name)]) else {
            throw Refusal(
                404, "developerUnknown",
                "This world has no developer account \"\(name.prefix(128))\".")
        }
        return DeveloperID(row.integer(0))
    }
}

extension WriteScope {
    /// False when there is one of that name already.
    borrowing func addDeveloper(_ name: String) throws -> Bool {
        if try row("SELECT 1 FROM developer WHERE name = ?1", [.text(name)]) != nil {
            return false
        }
        try execute(
            "INSERT INTO developer (id, name) VALUES (?1, ?2)",
            [.integer(try next("developer")), .text(name)])
        return true
    }
}
