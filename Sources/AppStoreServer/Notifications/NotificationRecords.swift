import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification

/// A notification on its way into the outbox.
struct NewNotification {
    let uuid: String
    /// The event that it tells of; nil for one that was asked for.
    var event: EventNumber?
    let notice: NoticeName
    /// The customer; nil for one that is about none.
    var account: AccountID?
    /// The original transaction; nil for one that has no order among others.
    var lane: Int64?
    let madeAt: Timestamp
    var body: [UInt8] = []
    var transaction: [UInt8]?
    var renewal: [UInt8]?
    var receipt: [UInt8]?
}

/// A notification that is to be signed.
struct UnsignedNotification: Sendable {
    let number: NotificationNumber
    let environment: StoreEnvironment
    let version: NotificationVersion
    let madeAt: Timestamp
    let body: [UInt8]
    let transaction: [UInt8]?
    let renewal: [UInt8]?
    let receipt: [UInt8]?
}

/// The signatures of a notification, under the header that they share.
struct NotificationSignatures: Sendable {
    let number: NotificationNumber
    var head: String?
    var body: String?
    var transaction: String?
    var renewal: String?
    /// The body of version 1 with its receipt.
    var filled: String?
}

/// A notification that is due.
struct DueNotification: Sendable {
    let number: NotificationNumber
    let lane: Int64
    let dueAt: Timestamp
    let attempts: Int
    let text: NotificationText
}

/// A signed notification, in its parts.
struct NotificationText: Sendable {
    struct Part: Sendable {
        let payload: [UInt8]
        let seal: JWSSeal
    }

    let version: NotificationVersion
    let body: [UInt8]
    /// Nil in version 1, which is not signed.
    let seal: JWSSeal?
    let transaction: Part?
    let renewal: Part?
}

private let textColumns = """
    notification.version, body, head, signature, transaction_payload, transaction_signature,
    renewal_payload, renewal_signature
    """
private let signedText = """
    notification JOIN notification_text USING (number)
    LEFT JOIN signed_head ON signed_head.number = head_number
    """

extension ReadScope {
    /// The oldest notifications that are to be signed.
    borrowing func unsignedNotifications(
        after place: NotificationNumber, countMax: Int
    ) throws -> [UnsignedNotification] {
        try rows(
            """
            SELECT notification.number, environment, version, made_ms, body, transaction_payload,
                renewal_payload, receipt_payload
            FROM notification JOIN notification_text USING (number)
            WHERE is_signed = 0 AND notification.number > ?1 ORDER BY notification.number LIMIT ?2
            """, [place, countMax]
        ).map { row in
            func bytes(_ name: StaticString) throws -> [UInt8]? {
                let text: String? = try row[name]
                return text.map { Array($0.utf8) }
            }
            return UnsignedNotification(
                number: try row["number"], environment: try row["environment"],
                version: try row["version"], madeAt: try row["made_ms"],
                body: try bytes("body") ?? [], transaction: try bytes("transaction_payload"),
                renewal: try bytes("renewal_payload"),
                receipt: try row["receipt_payload"])
        }
    }

    /// The signed notifications that are due to an app's server, the earliest first.
    borrowing func dueNotifications(
        to place: AppPlace, until moment: Timestamp, except busy: Set<NotificationNumber>,
        countMax: Int
    ) throws -> [DueNotification] {
        let numbers: [NotificationNumber] = try values(
            """
            SELECT number FROM notification
            WHERE app_id = ?1 AND environment = ?2 AND due_ms <= ?3 AND is_signed <> 0
            ORDER BY due_ms, number LIMIT ?4
            """, [place.app, place.environment, moment, countMax + busy.count])
        var found: [DueNotification] = []
        for number in numbers where !busy.contains(number) && found.count < countMax {
            let row = try row(
                """
                SELECT lane, due_ms, attempts, \(textColumns) FROM \(signedText)
                WHERE notification.number = ?1
                """, [number])
            guard let row else { continue }
            found.append(
                DueNotification(
                    number: number, lane: try row["lane"], dueAt: try row["due_ms"],
                    attempts: try row["attempts"], text: try NotificationText(row)))
        }
        return found
    }

    /// When the next attempt in an app's environment is due.
    borrowing func nextNotificationDue(
        to place: AppPlace, after moment: Timestamp
    ) throws -> Timestamp? {
        try value(
            """
            SELECT min(due_ms) FROM notification
            WHERE app_id = ?1 AND environment = ?2 AND due_ms > ?3
            """, [place.app, place.environment, moment])
    }

    /// The parts of a notification that was signed.
    borrowing func notificationText(_ number: NotificationNumber) throws -> NotificationText? {
        try row(
            """
            SELECT \(textColumns) FROM \(signedText)
            WHERE notification.number = ?1 AND is_signed <> 0
            """, [number]
        ).map { try NotificationText($0) }
    }

    /// The version of an app on a device, which notifications report.
    borrowing func appVersion(on device: DeviceID) throws -> String? {
        try value("SELECT app_version FROM device WHERE id = ?1", [device])
    }
}

extension WriteScope {
    /// Stores a notification for its first attempt, and has it delivered after this commit.
    @discardableResult
    borrowing func add(
        _ new: NewNotification, to target: NotificationTarget,
        as version: NotificationVersion? = nil
    ) throws -> NotificationNumber {
        let number = NotificationNumber(try next("notification"))
        let place = target.disorder?.place(of: number, madeAt: new.madeAt)
        try insert(
            into: "notification",
            [
                "number": number, "uuid": new.uuid, "event_number": new.event,
                "app_id": target.app, "environment": target.environment,
                "version": version ?? target.version, "kind": new.notice.kind,
                "subtype": new.notice.subtype, "account_id": new.account,
                // Those without an order are in a lane each.
                "lane": new.lane ?? -number.rawValue, "made_ms": new.madeAt, "is_signed": false,
                "attempts": 0, "due_ms": place?.dueAt ?? new.madeAt,
                "is_behind": place?.isBehind ?? false,
            ])
        try insert(
            into: "notification_text",
            [
                "number": number, "body": String(decoding: new.body, as: UTF8.self),
                "transaction_payload": new.transaction.map { String(decoding: $0, as: UTF8.self) },
                "renewal_payload": new.renewal.map { String(decoding: $0, as: UTF8.self) },
                "receipt_payload": new.receipt,
            ])
        announce(.notifications)
        return number
    }

    /// Keeps signatures; those of a notification that has some are kept as they were.
    borrowing func keep(_ signed: [NotificationSignatures]) throws {
        var heads: [String: Int64] = [:]
        for one in signed {
            if let head = one.head, heads[head] == nil { heads[head] = try number(ofHead: head) }
            let isNew = try execute(
                """
                UPDATE notification SET head_number = ?2, signature = ?3,
                    transaction_signature = ?4, renewal_signature = ?5, is_signed = 1
                WHERE number = ?1 AND is_signed = 0
                """,
                [
                    one.number, one.head.flatMap { heads[$0] }, one.body, one.transaction,
                    one.renewal,
                ])
            guard isNew > 0, let filled = one.filled else { continue }
            try execute(
                "UPDATE notification_text SET body = ?2, receipt_payload = NULL WHERE number = ?1",
                [one.number, filled])
        }
    }

    private borrowing func number(ofHead head: String) throws -> Int64 {
        let known: Int64? = try value("SELECT number FROM signed_head WHERE head = ?1", [head])
        if let known { return known }
        let number = try next("signed_head")
        try insert(into: "signed_head", ["number": number, "head": head])
        return number
    }

    /// Notes how an attempt ended, and when the next one is due; what was made due meanwhile, by
    /// hand, or no longer is, stays so, and what was deleted stays deleted. Returns whether another
    /// attempt is to come.
    borrowing func note(
        _ attempt: SendAttempt, of sent: DueNotification, next: Timestamp?
    ) throws -> Bool {
        let isAsSent =
            try execute(
                """
                UPDATE notification SET attempts = attempts + 1, last_result = ?2, due_ms = ?3,
                    is_behind = 0
                WHERE number = ?1 AND due_ms = ?4
                """, [sent.number, attempt.result, next, sent.dueAt]) > 0
        if !isAsSent {
            let isKept = try execute(
                """
                UPDATE notification SET attempts = attempts + 1, last_result = ?2
                WHERE number = ?1
                """, [sent.number, attempt.result])
            guard isKept > 0 else { return false }
        }
        try insert(
            into: "notification_attempt",
            [
                "notification_number": sent.number, "place": sent.attempts + 1,
                "at_ms": attempt.at, "result": attempt.result,
            ])
        return isAsSent ? next != nil : true
    }

    /// Lets those go that wait for an attempt of a later one.
    borrowing func releaseNotifications(
        behind number: NotificationNumber, at place: AppPlace, now: Timestamp
    ) throws {
        let released = try execute(
            """
            UPDATE notification SET is_behind = 0, due_ms = ?4
            WHERE app_id = ?1 AND environment = ?2 AND due_ms IS NOT NULL AND is_behind <> 0
                AND number < ?3
            """, [place.app, place.environment, number, now])
        if released > 0 { announce(.notifications) }
    }
}

extension NotificationText {
    /// From `textColumns`.
    init(_ row: Row) throws {
        let head: String? = try row["head"]
        let signature: String? = try row["signature"]
        func seal(_ signature: String?) -> JWSSeal? {
            guard let head, let signature else { return nil }
            return JWSSeal(head: head, signature: signature)
        }
        func part(_ payload: String?, _ signature: String?) -> Part? {
            guard let payload, let seal = seal(signature) else { return nil }
            return Part(payload: Array(payload.utf8), seal: seal)
        }
        let body: String = try row["body"]
        self.init(
            version: try row["version"], body: Array(body.utf8), seal: seal(signature),
            transaction: part(
                try row["transaction_payload"], try row["transaction_signature"]),
            renewal: part(try row["renewal_payload"], try row["renewal_signature"]))
    }
}
