import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning

/// A world's file in preparation, which requests cannot reach before it is moved into place.
struct WorldDraft: Sendable {
    let name: WorldName
    let path: String
    let keys: KeyStore

    /// Removes the remains of a draft.
    func discard() {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }

    /// Makes an empty world whose numbers begin at an offset.
    func found(numberOffset: Int64, now: Timestamp) throws {
        let id = makeUUID()
        let leaves = try makeLeaves(of: id, isSession: !name.isDefault, keys: keys)
        try write { scope in
            try scope.found(name, id: id, leaves: leaves, now: now, numberOffset: numberOffset)
        }
    }

    /// Takes over a snapshot, which may be older than this program; refuses a damaged one.
    func copy(snapshot: String) throws {
        do {
            let reader = try DatabaseReader(path: snapshot, isInUse: false)
            guard let schema = try reader.schemaNumber() else {
                throw DatabaseError(code: .notADatabase, detail: "it does not belong to a world")
            }
            if let refusal = WorldSchema.current.refusal(of: schema) { throw refusal }
            let problems = try reader.problems()
            guard problems.isEmpty else {
                throw DatabaseError(code: .notADatabase, detail: problems.joined(separator: "; "))
            }
        } catch let error as DatabaseError {
            throw Refusal(
                409, "snapshotDamaged",
                "The snapshot cannot be read, so the world stays as it is: \(error.detail)")
        }
        try FileManager.default.copyItem(atPath: snapshot, toPath: path)
    }

    /// Makes a copy a world of its own.
    func refound(numbers: FreeNumbers) throws {
        let id = makeUUID()
        let leaves = try makeLeaves(of: id, isSession: !name.isDefault, keys: keys)
        try write { scope in
            try scope.refound(name, id: id, leaves: leaves, numbers: numbers)
        }
    }

    /// Changes the draft in one commit; it is closed and synced when this returns.
    func write(_ body: @escaping @Sendable (borrowing WriteScope) throws -> Void) throws {
        let database = try Database(
            path: path, durability: .processOnly, schema: WorldSchema.current,
            pageBytes: name.isDefault ? nil : DatabaseTemplate.pageBytes)
        do {
            try database.write(body)
        } catch {
            database.close()
            throw error
        }
        guard database.close() else {
            throw DatabaseError(code: .unavailable, detail: "another program has \(path) open")
        }
        try syncFile(path)
    }
}
