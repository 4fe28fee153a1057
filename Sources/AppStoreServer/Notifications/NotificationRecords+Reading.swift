import StoreDatabase
import StoreModel
import StoreWire

// Notifications as owners see them, and those that are made on request.
private let bodies = """
    SELECT notification.number, uuid, bundle_id, notification.environment, notification.version,
        notification.kind, subtype, account.name AS account, lane, made_ms, due_ms
    FROM notification JOIN app ON app.id = notification.app_id
    LEFT JOIN account ON account.id = notification.account_id
    """

extension ReadScope {
    /// The newest first, of one app or of all.
    borrowing func notifications(
        before place: NotificationNumber?, of app: AppID?, countMax: Int
    ) throws -> [NotificationBody] {
        let found = try rows(
            """
            \(bodies) WHERE notification.number < ?1 AND (?2 IS NULL OR notification.app_id = ?2)
            ORDER BY notification.number DESC LIMIT ?3
            """, [place ?? NotificationNumber(.max), app, countMax])
        var bodies: [NotificationBody] = []
        for row in found { bodies.append(try body(row)) }
        return bodies
    }

    /// A notification with what is sent of it.
    borrowing func notification(_ number: NotificationNumber) throws -> SentNotificationBody? {
        guard let row = try row("\(bodies) WHERE notification.number = ?1", [number]) else {
            return nil
        }
        return SentNotificationBody(
            notification: try body(row),
            body: try notificationText(number)?.requestBody(password: nil)
                .map { String(decoding: $0, as: UTF8.self) })
    }

    borrowing func attempts(of number: NotificationNumber) throws -> [SendAttempt] {
        try rows(
            """
            SELECT at_ms, result FROM notification_attempt
            WHERE notification_number = ?1 ORDER BY place
            """, [number]
        ).map { SendAttempt(at: try $0["at_ms"], result: try $0["result"]) }
    }

    /// How many are still to be delivered.
    borrowing func waitingCount(of place: AppPlace) throws -> Int64 {
        try value(
            """
            SELECT count(*) FROM notification
            WHERE app_id = ?1 AND environment = ?2 AND due_ms IS NOT NULL
            """, [place.app, place.environment]) ?? 0
    }

    /// How many of all apps are due, and will be later.
    borrowing func waitingCounts(at now: Timestamp) throws -> (due: Int64, later: Int64) {
        let row = try row(
            """
            SELECT count(*) AS waiting,
                coalesce(sum(CASE WHEN due_ms <= ?1 THEN 1 ELSE 0 END), 0) AS due
            FROM notification WHERE due_ms IS NOT NULL
            """, [now])
        guard let row else { return (0, 0) }
        let (waiting, due): (Int64, Int64) = (try row["waiting"], try row["due"])
        return (due, waiting - due)
    }

    private borrowing func body(_ row: Row) throws -> NotificationBody {
        let number: NotificationNumber = try row["number"]
        let lane: Int64 = try row["lane"]
        return NotificationBody(
            number: number.rawValue, notificationUUID: try row["uuid"],
            bundleId: try row["bundle_id"], environment: try row["environment"],
            version: try row["version"], notificationType: try row["kind"],
            subtype: try row["subtype"], account: try row["account"],
            originalTransactionId: lane > 0 ? "\(lane)" : nil, signedDate: try row["made_ms"],
            sendAttempts: try attempts(of: number).map { SendAttemptBody($0) },
            dueDate: try row["due_ms"])
    }
}

extension WriteScope {
    /// Stores a notification that nothing happened to cause.
    borrowing func addTest(
        to target: NotificationTarget, _ app: AppRow, at now: Timestamp
    ) throws -> (number: NotificationNumber, uuid: String) {
        let uuid = makeUUID().lowercased()
        let body = NoticeBody(
            notice: .test, uuid: uuid, app: app, environment: target.environment,
            environmentName: try reading.signedName(of: target.environment), signedAt: now)
        // It has version 2 whatever the address takes.
        let number = try add(
            NewNotification(
                uuid: uuid, notice: .test, madeAt: now,
                body: body.json { body.writeTestData(to: &$0) }),
            to: target, as: .v2)
        return (number, uuid)
    }

    /// Has a notification sent once more.
    borrowing func sendAgain(_ number: NotificationNumber, at now: Timestamp) throws {
        // Another time than that of an attempt under way, whose end then leaves it due.
        try execute(
            """
            UPDATE notification SET is_behind = 0,
                due_ms = CASE WHEN due_ms = ?2 THEN ?2 - 1 ELSE ?2 END
            WHERE number = ?1
            """, [number, now])
        announce(.notifications)
    }
}
