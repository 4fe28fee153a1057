import StoreDatabase
import StoreModel

/// One entry for the history of a submission.
struct HistoryEntry: Hashable, Sendable {
    let event: String
    let requestID: String
    let now: Timestamp
    var detail: String?
    /// Set when the store was asked.
    var asked: StoreTry?
    var tryNumber: Int64?

    init(_ event: String, requestID: String, now: Timestamp, detail: String? = nil) {
        self.event = event
        self.requestID = requestID
        self.now = now
        self.detail = detail
    }
}

/// The history of submissions; the schema lets it only grow.
enum HistoryRecords {
    static func add(
        _ scope: borrowing WriteScope, _ id: SubmissionID, _ entry: HistoryEntry
    ) throws {
        try scope.insert(
            into: "submission_events",
            [
                "submission_id": id, "at": entry.now, "state": entry.event,
                "request_id": entry.requestID, "detail": entry.detail,
                "try_number": entry.tryNumber, "tried_at": entry.asked?.triedAt,
                "environment": entry.asked?.environment, "http_status": entry.asked?.httpStatus,
                "store_status": entry.asked?.storeStatus,
            ])
    }

    /// The newest entries, oldest first.
    static func newest(
        _ scope: borrowing ReadScope, _ id: SubmissionID, countMax: Int
    ) throws -> [HistoryEntry] {
        try scope.rows(
            """
            SELECT at, state, request_id, detail, try_number, tried_at, environment, http_status,
                store_status
            FROM submission_events WHERE submission_id = ? ORDER BY id DESC LIMIT ?
            """, [id, countMax]
        ).map(entry).reversed()
    }

    static func count(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> Int {
        try scope.value(
            "SELECT count(*) FROM submission_events WHERE submission_id = ?", [id]) ?? 0
    }

    private static func entry(_ row: Row) throws -> HistoryEntry {
        var entry = HistoryEntry(
            try row["state"], requestID: try row["request_id"], now: try row["at"],
            detail: try row["detail"])
        entry.tryNumber = try row["try_number"]
        if let triedAt: Timestamp = try row["tried_at"],
            let environment: StoreEnvironment = try row["environment"]
        {
            entry.asked = StoreTry(
                triedAt: triedAt, environment: environment, httpStatus: try row["http_status"],
                storeStatus: try row["store_status"])
        }
        return entry
    }
}
