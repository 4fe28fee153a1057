import Foundation
import TestSupport
import Testing

/// The auditor of notifications finds nothing in files that are sound, and each kind of damage done
/// to a copy of them.
@Suite(.ownThreads) struct NotificationAuditorTests {
    /// Made once for each version: a store and an app's server after everything happened, of which
    /// nothing was killed.
    private static let sound = world(ofVersion: 2)
    private static let soundFirst = world(ofVersion: 1)

    private static func world(ofVersion version: Int) -> Result<String, any Error> {
        Result {
            let run = try NotificationKillRun(seed: 1, in: .production, version: version)
            let findings = try run.run(kills: 0)
            try #require(findings == [], "what is to be damaged is not sound")
            if version == 2 { try #require(try run.firstKept > 1, "nothing was swept") }
            let kept = TemporaryFolder.untilExit().file("world")
            try FileManager.default.copyItem(atPath: run.world, toPath: kept)
            return kept
        }
    }

    /// Changes the database by SQL, or the receiver's log by lines of Python about `lines`; refuses
    /// to change nothing.
    private static let damage = """
        import json, sqlite3, sys
        folder, file, change = sys.argv[1:]
        if file == "log":
            path = folder + "/audit/notifications.jsonl"
            before = [json.loads(line) for line in open(path)]
            lines = json.loads(json.dumps(before))
            exec(change)
            with open(path, "w") as kept:
                kept.write("".join(json.dumps(line) + "\\n" for line in lines))
            sys.exit(0 if lines != before else 1)
        database = sqlite3.connect(folder + "/default.sqlite")
        database.executescript(change)
        database.commit()
        sys.exit(0 if database.total_changes else 1)
        """

    struct Row: CustomTestStringConvertible, Sendable {
        let code: String
        let file: String
        let change: String
        var version = 2

        var first: Row {
            var row = self
            row.version = 1
            return row
        }

        static func store(_ code: String, _ change: String) -> Row {
            Row(code: code, file: "store", change: change)
        }

        static func log(_ code: String, _ change: String) -> Row {
            Row(code: code, file: "log", change: change)
        }

        var testDescription: String { "version \(version), \(code): \(change)" }
    }

    /// The newest of a type.
    private static func one(_ kind: String) -> String {
        "(SELECT max(number) FROM notification WHERE kind = '\(kind)')"
    }

    private static func version(_ number: Int) -> String {
        "UPDATE notification SET version = \(number) WHERE number = \(one("DID_RENEW"))"
    }

    /// Other words in all payloads that have some.
    private static func payload(_ part: String, _ before: String, _ after: String) -> String {
        "UPDATE notification_text SET \(part) = replace(\(part), '\(before)', '\(after)')"
    }

    /// A notification once more, under the next number.
    private static func copied(_ change: String, body: String = "body") -> String {
        """
        CREATE TABLE copied AS SELECT * FROM notification WHERE number = \(one("DID_RENEW"));
        CREATE TABLE copied_text AS
            SELECT * FROM notification_text WHERE number = (SELECT number FROM copied);
        UPDATE copied_text SET number = (SELECT max(number) + 1 FROM notification), body = \(body);
        UPDATE copied SET number = (SELECT number FROM copied_text), attempts = 0,
            last_result = NULL, due_ms = made_ms \(change);
        INSERT INTO notification SELECT * FROM copied; DROP TABLE copied;
        INSERT INTO notification_text SELECT * FROM copied_text; DROP TABLE copied_text
        """
    }

    /// One that was delivered after it had failed.
    private static let failed = """
        (SELECT min(number) FROM notification WHERE attempts > 1 AND last_result = 'SUCCESS')
        """

    /// The newest or oldest that the app's server got: others may wait behind one that it refused.
    private static func sent(_ choice: String, _ condition: String = "") -> String {
        "(SELECT \(choice)(number) FROM notification WHERE attempts > 0 \(condition))"
    }

    /// The oldest that is kept: what was older is gone.
    private static let oldest = "(SELECT min(number) FROM notification)"

    private static func deleted(_ number: String) -> String {
        """
        CREATE TABLE gone AS SELECT \(number) AS number;
        DELETE FROM notification_attempt
        WHERE notification_number = (SELECT number FROM gone);
        DELETE FROM notification_text WHERE number = (SELECT number FROM gone);
        DELETE FROM notification WHERE number = (SELECT number FROM gone); DROP TABLE gone
        """
    }

    /// All lines with an answer: a killed store may have had the newest one and not noted it.
    private static func lost(_ answer: String) -> String {
        "lines[:] = [line for line in lines if line['answer'] != '\(answer)']"
    }

    static let rows: [Row] = [
        .store("notice-lost", deleted(one("DID_RENEW"))),
        .store("delivery-unknown", deleted(sent("max", "AND kind = 'DID_RENEW'"))),
        .store("notice-lost", deleted(oldest)), .store("delivery-unknown", deleted(sent("min"))),
        .store("row-without-parent", "DELETE FROM notification WHERE number = \(oldest)"),
        .store(
            "kept-too-long",
            "UPDATE notification SET made_ms = made_ms - 9000000000 WHERE number = \(oldest)"),
        .store("head-unused", "INSERT INTO signed_head VALUES (99, 'other')"),
        .store("notice-twice", copied("")), .store("uuid-twice", copied("")),
        .store("version-wrong", version(1)),
        .store("notice-twice", copied(", uuid = 'other'")),
        .store(
            "signature-wrong",
            copied(
                ", uuid = 'x'",
                body: "replace(body, (SELECT uuid FROM copied), 'x')")),
        .store(
            "notice-unasked",
            "UPDATE notification SET event_number = NULL WHERE number = \(one("EXPIRED"))"),
        .store(
            "notice-wrong",
            """
            UPDATE notification_text SET body = replace(body, 'DID_RENEW', 'EXPIRED')
            WHERE number = \(one("DID_RENEW"));
            UPDATE notification SET kind = 'EXPIRED', subtype = 'VOLUNTARY'
            WHERE number = \(one("DID_RENEW"))
            """),
        .store(
            "notice-wrong",
            "UPDATE notification SET subtype = NULL WHERE kind = 'SUBSCRIBED'"),
        .store("payload-wrong", payload("body", "SUBSCRIBED", "DID_RENEW")),
        .store("payload-wrong", payload("body", #""status":1"#, #""status":2"#)),
        .store(
            "payload-wrong",
            payload("transaction_payload", "rocketcar.fuel", "rocketcar.turbo")),
        .store("payload-wrong", payload("transaction_payload", "purchaseDate", "otherDate")),
        .store("payload-wrong", payload("transaction_payload", "revocationDate", "otherDate")),
        .store("payload-wrong", payload("transaction_payload", "FAMILY_SHARED", "PURCHASED")),
        .store(
            "payload-wrong",
            payload("renewal_payload", #""autoRenewStatus":0"#, #""autoRenewStatus":1"#)),
        .store(
            "payload-wrong",
            payload("renewal_payload", "rocketcar.bronze", "rocketcar.silver")),
        .store("payload-wrong", payload("renewal_payload", "priceIncreaseStatus", "noStatus")),
        .store(
            "payload-wrong",
            "UPDATE notification SET made_ms = made_ms + 1 WHERE number = \(one("EXPIRED"))"),
        .store(
            "payload-wrong",
            "UPDATE notification SET lane = lane + 1 WHERE number = \(one("EXPIRED"))"),
        .store(
            "signature-wrong",
            """
            UPDATE notification SET signature = (SELECT signature FROM notification
                WHERE number = \(one("DID_RENEW"))) WHERE number = \(one("EXPIRED"))
            """),
        .store(
            "signature-wrong",
            "UPDATE notification SET transaction_signature = lower(transaction_signature)"),
        .store("delivery-unknown", payload("renewal_payload", "rocketcar", "racecar")),
        .store("unsigned", "UPDATE notification SET is_signed = 0, attempts = 0"),
        .store(
            "attempt-wrong",
            "DELETE FROM notification_attempt WHERE notification_number = \(failed) AND place = 1"),
        .store(
            "attempt-wrong",
            """
            UPDATE notification_attempt SET result = 'SUCCESS'
            WHERE notification_number = \(failed)
            """),
        .store("attempt-wrong", "UPDATE notification SET last_result = 'TIMED_OUT'"),
        .store(
            "attempt-date",
            "UPDATE notification_attempt SET at_ms = at_ms + 1 WHERE place = 2"),
        .store(
            "attempt-date",
            "UPDATE notification_attempt SET at_ms = at_ms - 1 WHERE notification_number = \(oldest)"
        ),
        .store("attempt-date", "UPDATE notification SET due_ms = made_ms WHERE number = \(oldest)"),
        .store("overdue", "UPDATE notification SET due_ms = made_ms WHERE number = \(oldest)"),
        .store("event-gap", "DELETE FROM event WHERE number = 9"),
        .store("notice-unasked", "DELETE FROM event WHERE kind = 'expired'"),
        .store(
            "notice-lost",
            """
            INSERT INTO event SELECT 1 + (SELECT max(number) FROM event), environment, app_id,
                account_id, kind, transaction_id, subject, at_ms
            FROM event WHERE kind = 'refundDeclined' OR kind = 'refundRequested' LIMIT 1
            """),
        .store(
            "notice-wrong", "UPDATE event SET kind = 'gracePeriodEnded' WHERE kind = 'extended'"),
        .store("state-wrong", "UPDATE subscription SET is_auto_renewing = 1 - is_auto_renewing"),
        .store("state-wrong", "UPDATE subscription SET expires_ms = expires_ms + 1"),
        .store(
            "state-wrong",
            """
            UPDATE subscription SET phase = 'expired', expiration_reason = 1, due_ms = NULL
            WHERE phase = 'active'
            """),
        .store(
            "state-wrong",
            """
            UPDATE store_transaction SET expires_ms = expires_ms + 7
            WHERE id IN (SELECT newest_id FROM subscription)
            """),
        .log("delivery-lost", lost("200")),
        .log("delivery-lost", lost("500")),
        .log("delivery-lost", "for line in lines: line['answer'] = 'close'"),
        .log("delivery-unknown", "lines[3]['body'] = lines[3]['body'].replace('e', 'f', 1)"),
        .log("delivery-unknown", "lines[3]['body'] += ' '"),
        .log("delivery-unknown", "lines[0]['body'] += ' '"),
        .log(
            "delivery-unknown",
            "lines[0]['body'] = lines[0]['body'][:-9] + 'AAAA' + lines[0]['body'][-5:]"),
        .log("order-wrong", "lines.reverse()"),
    ]

    /// Of version 1: what differs in it, and one of each kind that does not.
    static let firstRows: [Row] = [
        .store("notice-lost", deleted(one("DID_RENEW"))), .store("notice-twice", copied("")),
        .store("version-wrong", version(2)),
        .store(
            "notice-wrong",
            """
            UPDATE notification_text SET body = replace(body, 'DID_RENEW', 'DID_RECOVER')
            WHERE number = \(one("DID_RENEW"));
            UPDATE notification SET kind = 'DID_RECOVER' WHERE number = \(one("DID_RENEW"))
            """),
        .store("notice-unasked", "DELETE FROM event WHERE kind = 'expired'"),
        .store("notice-wrong", "UPDATE notification SET subtype = 'VOLUNTARY' WHERE number = 1"),
        .store("payload-wrong", payload("body", "DID_RENEW", "DID_RECOVER")),
        .store("payload-wrong", payload("body", #""environment":"PROD""#, #""environment":"X""#)),
        .store(
            "payload-wrong",
            payload("body", #""auto_renew_status":"true""#, #""auto_renew_status":"false""#)),
        .store("payload-wrong", payload("body", "rocketcar.bronze", "rocketcar.silver")),
        .store("payload-wrong", payload("body", "expiration_intent", "other_intent")),
        .store("payload-wrong", payload("body", "cancellation_date_ms", "other_date_ms")),
        .store("payload-wrong", payload("body", "FAMILY_SHARED", "PURCHASED")),
        .store("payload-wrong", "UPDATE notification SET lane = lane + 1"),
        .store("payload-wrong", "UPDATE event SET at_ms = at_ms + 1000 WHERE kind = 'renewed'"),
        .store(
            "signature-wrong",
            """
            UPDATE notification_text SET body =
                substr(body, 1, instr(body, 'latest_receipt":"') + 2000) || 'AAAA'
                || substr(body, instr(body, 'latest_receipt":"') + 2005)
            WHERE number = \(one("DID_RENEW"))
            """),
        .store("unsigned", "UPDATE notification SET is_signed = 0, attempts = 0"),
        .store("attempt-date", "UPDATE notification_attempt SET at_ms = at_ms + 1 WHERE place = 2"),
        .store("state-wrong", "UPDATE subscription SET is_auto_renewing = 1 - is_auto_renewing"),
        .store("delivery-unknown", payload("body", "bvrs", "bvrt")),
        .log("delivery-lost", lost("200")), .log("delivery-lost", lost("500")),
        .log("delivery-unknown", "lines[3]['body'] += ' '"), .log("order-wrong", "lines.reverse()"),
    ]

    @Test(arguments: rows + firstRows.map(\.first))
    func `the auditor of notifications finds each kind of damage`(row: Row) throws {
        let folder = TemporaryFolder()
        let copy = folder.file("world")
        let sound = row.version == 1 ? Self.soundFirst : Self.sound
        try FileManager.default.copyItem(atPath: try sound.get(), toPath: copy)
        let logs = folder.file("logs")
        try FileManager.default.createDirectory(
            atPath: logs, withIntermediateDirectories: false)
        let program = try Program(
            "/usr/bin/python3", ["-c", Self.damage, copy, row.file, row.change], logs: logs)
        try #require(try program.wait() == 0, "nothing was damaged: \(program.errors)")
        let found = try Auditor.noticeFindings(in: copy, logs: logs)
        #expect(found.contains { $0.hasPrefix(row.code + ":") }, "\(found.prefix(9))")
    }
}
