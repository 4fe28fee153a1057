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
        try scope.execute(
            """
            INSERT INTO submission_events (submission_id, at, state, request_id, detail,
                try_number, tried_at, environment, http_status, store_status)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(id.rawValue), .integer(entry.now.milliseconds), .text(entry.event),
                .text(entry.requestID), .text(entry.detail), .integer(entry.tryNumber),
                .integer(entry.asked?.triedAt.milliseconds),
                .text(entry.asked?.environment.rawValue),
                .integer(entry.asked?.httpStatus.map(Int64.init)),
                .integer(entry.asked?.storeStatus.map(Int64.init)),
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
            """, [.text(id.rawValue), .integer(Int64(countMax))]
        ).map(entry).reversed()
    }

    static func count(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> Int {
        let row = try scope.row(
            "SELECT count(*) FROM submission_events WHERE submission_id = ?", [.text(id.rawValue)])
        return Int(row?.integer(0) ?? 0)
    }

    private static func entry(_ row: Row) -> HistoryEntry {
        var entry = HistoryEntry(
            row.text(1), requestID: row.text(2), now: Timestamp(milliseconds: row.integer(0)),
            detail: row.textOrNil(3))
        entry.tryNumber = row.integerOrNil(4)
        if let triedAt = row.integerOrNil(5),
            let environment = row.textOrNil(6).flatMap(StoreEnvironment.init(rawValue:))
        {
            entry.asked = StoreTry(
                triedAt: Timestamp(milliseconds: triedAt), environment: environment,
                httpStatus: row.integerOrNil(7).map { Int($0) },
                storeStatus: row.integerOrNil(8).map { Int($0) })
        }
        return entry
    }
}
