import StoreDatabase
import StoreModel
import StoreRules

/// A notification of version 2 that was signed, with its attempts.
struct NotificationHistoryItem {
    let place: NotificationPlace
    let attempts: [SendAttempt]
    let signedPayload: String
}

/// The newest of an app's notifications of a type and subtype, from a time on and before a place;
/// the last value is the most rows.
let noticesOfKind = """
    SELECT made_ms, number FROM notification
    WHERE app_id = ?1 AND environment = ?2 AND kind = ?3 AND coalesce(subtype, '') = ?4
        AND made_ms >= ?5 AND (made_ms, number) < (?6, ?7) AND is_signed <> 0 AND version = 2
    """ + newestFirst
/// The same of those that were not delivered.
let failedNotices = """
    SELECT made_ms, number FROM notification
    WHERE app_id = ?1 AND environment = ?2 AND kind = ?3 AND coalesce(subtype, '') = ?4
        AND made_ms >= ?5 AND (made_ms, number) < (?6, ?7) AND is_signed <> 0 AND version = 2
        AND attempts > 0 AND last_result <> 'SUCCESS'
    """ + newestFirst
/// The same of one customer, of all types.
let noticesOfAccount = """
    SELECT made_ms, number FROM notification
    WHERE app_id = ?1 AND environment = ?2 AND account_id = ?3
        AND (?4 = 0 OR (attempts > 0 AND last_result <> 'SUCCESS'))
        AND made_ms >= ?5 AND (made_ms, number) < (?6, ?7) AND is_signed <> 0 AND version = 2
    """ + newestFirst
private let newestFirst = " ORDER BY made_ms DESC, number DESC LIMIT ?8"

extension ReadScope {
    /// An app's notifications before a place in their history, the newest first.
    borrowing func notifications(
        _ query: NotificationQuery, of caller: ServerAPICaller, before place: NotificationPlace?,
        countMax: Int
    ) throws -> [NotificationHistoryItem] {
        // An end of now includes notifications of the same millisecond.
        let end = NotificationPlace(
            madeAt: query.endDate.adding(milliseconds: query.endDate == caller.maker.now ? 1 : 0),
            number: NotificationNumber(0))
        let last = min(place ?? end, end)
        var places: [NotificationPlace] = []
        if let account = query.account {
            places = try self.places(
                noticesOfAccount, [account, query.onlyFailures], query, caller, last, countMax)
        } else {
            // Each pair is a range of the index, so that rare ones are not looked for among others.
            for (kind, subtype) in NotificationPairs.all(of: query.kind, query.subtype) {
                places += try self.places(
                    query.onlyFailures ? failedNotices : noticesOfKind, [kind, subtype ?? ""],
                    query, caller, last, countMax)
            }
            places.sort(by: >)
        }
        var items: [NotificationHistoryItem] = []
        for place in places.prefix(countMax) {
            if let item = try item(at: place) { items.append(item) }
        }
        return items
    }

    private borrowing func places(
        _ sql: String, _ which: [any ColumnValue], _ query: NotificationQuery,
        _ caller: ServerAPICaller, _ last: NotificationPlace, _ countMax: Int
    ) throws -> [NotificationPlace] {
        try rows(
            sql,
            [caller.app.id, caller.environment] + which
                + [query.startDate, last.madeAt, last.number, countMax]
        ).map { NotificationPlace(madeAt: try $0["made_ms"], number: try $0["number"]) }
    }

    /// A test that an app asked for; nil for any other notification.
    borrowing func test(
        _ token: TestToken, of caller: ServerAPICaller
    ) throws -> NotificationHistoryItem? {
        let madeAt: Timestamp? = try value(
            """
            SELECT made_ms FROM notification
            WHERE number = ?1 AND uuid = ?2 AND app_id = ?3 AND environment = ?4 AND kind = ?5
            """,
            [
                token.number, token.uuid, caller.app.id, caller.environment,
                NoticeName.test.kind,
            ])
        return try madeAt.flatMap {
            try item(at: NotificationPlace(madeAt: $0, number: token.number))
        }
    }

    private borrowing func item(at place: NotificationPlace) throws -> NotificationHistoryItem? {
        guard let payload = try notificationText(place.number)?.signedPayload else { return nil }
        return NotificationHistoryItem(
            place: place, attempts: try attempts(of: place.number),
            signedPayload: String(decoding: payload, as: UTF8.self))
    }
}
