import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// The account and app of a key-value store.
struct KeyValuePlace: Sendable {
    let account: AccountID
    let app: AppID

    fileprivate var values: [any ColumnValue] { [account, app] }
}

/// A key's row; without a value when the key was removed.
struct KeyValueRow: Sendable {
    let key: String
    /// The value as JSON, unchanged.
    let value: String?
}

/// The news of a key-value store for a device.
struct KeyValueNews: Sendable {
    let revision: Int64
    /// Whether the rows are all keys with a value, and not only the changes.
    let isWhole: Bool
    let rows: [KeyValueRow]
}

/// A key's new value, ready to be stored.
struct WantedKeyValue: Sendable {
    let key: String
    let content: KeyValueRules.Content
}

/// A request to change key values, which its device may repeat.
struct KeyValueRequest: Sendable {
    let id: String
    let device: DeviceID
    let digest: [UInt8]
}

extension ReadScope {
    /// How often it has changed, after the base of this world.
    borrowing func keyValueRevision(_ place: KeyValuePlace) throws -> Int64 {
        try keyValueState(place).revision
    }

    fileprivate borrowing func keyValueState(
        _ place: KeyValuePlace
    ) throws -> (revision: Int64, forgotten: Int64) {
        let found = try row(
            """
            SELECT revision, forgotten FROM key_value_revision
            WHERE account_id = ?1 AND app_id = ?2
            """, place.values)
        if let found { return (try found["revision"], try found["forgotten"]) }
        let base: Int64 =
            try value("SELECT next FROM sequence WHERE name = ?1", [revisionBase]) ?? 0
        return (base, base)
    }

    /// The changes after a revision; everything for a revision that is 0, too old or never existed.
    borrowing func keyValues(
        _ place: KeyValuePlace, after known: Int64
    ) throws -> KeyValueNews {
        let (revision, forgotten) = try keyValueState(place)
        let isWhole = known == 0 || known < forgotten || known > revision
        let found = try rows(
            """
            SELECT name, value FROM key_value
            WHERE account_id = ?1 AND app_id = ?2 AND revision > ?3
            ORDER BY name
            """, place.values + [isWhole ? 0 : known])
        let all = try found.map { KeyValueRow(key: try $0["name"], value: try $0["value"]) }
        return KeyValueNews(
            revision: revision, isWhole: isWhole,
            rows: isWhole ? all.filter { $0.value != nil } : all)
    }

    /// How many keys have a value, and the counted bytes of the values.
    borrowing func keyValueSize(_ place: KeyValuePlace) throws -> KeyValueRules.Size {
        let found = try row(
            """
            SELECT count(*) AS keys, coalesce(sum(byte_count), 0) AS bytes FROM key_value
            WHERE account_id = ?1 AND app_id = ?2 AND value IS NOT NULL
            """, place.values)
        return KeyValueRules.Size(
            keys: try found?["keys"] ?? 0, bytes: try found?["bytes"] ?? 0)
    }

    /// The requested values of keys with their present ones.
    borrowing func keyValueChanges(
        _ wanted: [WantedKeyValue], in place: KeyValuePlace
    ) throws -> [KeyValueRules.Change] {
        var changes: [KeyValueRules.Change] = []
        for one in wanted {
            let found = try row(
                """
                SELECT value, byte_count FROM key_value
                WHERE account_id = ?1 AND app_id = ?2 AND name = ?3
                """, place.values + [one.key])
            let present = try found.map {
                let value: String? = try $0["value"]
                return KeyValueRules.Content(
                    value: value.map { Array($0.utf8) }, byteCount: try $0["byte_count"])
            }
            changes.append(
                KeyValueRules.Change(
                    key: one.key, wanted: one.content, present: present ?? .removed))
        }
        return changes
    }

    /// Whether a request was carried out before; 409 when its id was used with other changes.
    borrowing func isKnown(_ request: KeyValueRequest, of account: AccountID) throws -> Bool {
        let known = try row(
            """
            SELECT account_id, digest FROM key_value_request
            WHERE device_id = ?1 AND request_id = ?2
            """, [request.device, request.id])
        guard let known else { return false }
        guard try known["account_id"] == account.rawValue, try known["digest"] == request.digest
        else {
            throw Refusal(
                409, "requestIdReused",
                "The request id was used with other changes or another account; make a new one.")
        }
        return true
    }
}

extension WriteScope {
    /// Notes a request and forgets the device's oldest one beyond the limit.
    borrowing func addRequest(_ request: KeyValueRequest, of account: AccountID) throws {
        try insert(
            into: "key_value_request",
            [
                "device_id": request.device, "request_id": request.id, "account_id": account,
                "digest": request.digest, "number": try next("key_value_request"),
            ])
        try execute(
            """
            DELETE FROM key_value_request WHERE device_id = ?1 AND number <= (
                SELECT number FROM key_value_request WHERE device_id = ?1
                ORDER BY number DESC LIMIT 1 OFFSET ?2)
            """, [request.device, Limits.keyValueRequestsMax])
    }

    /// Makes changes under the next revision.
    borrowing func make(
        _ changes: [KeyValueRules.Change], in place: KeyValuePlace, now: Timestamp
    ) throws {
        let (last, forgotten) = try reading.keyValueState(place)
        let revision = last + 1
        for change in changes { try save(change, in: place, revision, now: now) }
        try execute(
            """
            INSERT INTO key_value_revision (account_id, app_id, revision, forgotten)
            VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (account_id, app_id) DO UPDATE SET revision = ?3
            """, place.values + [revision, forgotten])
        try forgetRemoved(in: place)
    }

    private borrowing func save(
        _ change: KeyValueRules.Change, in place: KeyValuePlace, _ revision: Int64,
        now: Timestamp
    ) throws {
        let value = change.wanted.value.map { String(decoding: $0, as: UTF8.self) }
        try execute(
            """
            INSERT INTO key_value
                (account_id, app_id, name, value, byte_count, revision, changed_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (account_id, app_id, name) DO UPDATE SET
                value = ?4, byte_count = ?5, revision = ?6, changed_ms = ?7
            """,
            place.values + [
                change.key, value, change.wanted.byteCount, revision, now,
            ])
    }

    /// Drops the oldest removed keys beyond the limit; devices with older revisions then get
    /// everything.
    private borrowing func forgetRemoved(in place: KeyValuePlace) throws {
        let oldest = try row(
            """
            SELECT revision FROM key_value
            WHERE account_id = ?1 AND app_id = ?2 AND value IS NULL
            ORDER BY revision DESC LIMIT 1 OFFSET ?3
            """, place.values + [Limits.removedKeysMax])
        guard let oldest else { return }
        let last: Int64 = try oldest["revision"]
        try execute(
            """
            DELETE FROM key_value
            WHERE account_id = ?1 AND app_id = ?2 AND value IS NULL AND revision <= ?3
            """, place.values + [last])
        try execute(
            """
            UPDATE key_value_revision SET forgotten = ?3 WHERE account_id = ?1 AND app_id = ?2
            """, place.values + [last])
    }
}
