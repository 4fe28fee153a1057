import StoreDatabase
import StoreModel

/// A notification of version 2 that was signed, with its attempts.
struct NotificationHistoryItem {
    let place: NotificationPlace
    let attempts: [SendAttempt]
    let signedPayload: String
}

extension ReadScope {
    /// An app's notifications before a place in their history, the newest first.
    borrowing func notifications(
        _ query: NotificationQuery, of caller: ServerAPICaller, before place: NotificationPlace?,
        countMax: Int
    ) throws -> [NotificationHistoryItem] {
        let found = try rows(
            """
            SELECT number, made_ms FROM notification
            WHERE app_id = ?1 AND environment = ?2 AND version = 2 AND is_signed <> 0
                AND made_ms >= ?3 AND made_ms < ?4
                AND (made_ms < ?5 OR (made_ms = ?5 AND number < ?6))
                AND (?7 = '' OR kind = ?7) AND (?8 = '' OR subtype = ?8)
                AND \(query.account == nil ? "?9 = 0" : "account_id = ?9")
                AND (?10 = 0 OR (attempts > 0 AND last_result <> 'SUCCESS'))
            ORDER BY made_ms DESC, number DESC LIMIT ?11
            """,
            [
                caller.app.id, caller.environment, query.startDate,
                // What happened at this very moment counts.
                query.endDate.adding(milliseconds: query.endDate == caller.maker.now ? 1 : 0),
                place?.madeAt ?? Timestamp.range.upperBound,
                place?.number ?? NotificationNumber(.max), query.kind ?? "", query.subtype ?? "",
                query.account?.rawValue ?? 0, query.onlyFailures, countMax,
            ])
        var items: [NotificationHistoryItem] = []
        for row in found {
            let place = NotificationPlace(madeAt: try row["made_ms"], number: try row["number"])
            if let item = try item(at: place) { items.append(item) }
        }
        return items
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
