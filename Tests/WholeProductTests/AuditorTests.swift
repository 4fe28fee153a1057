import Foundation
import TestSupport
import Testing

/// The auditor finds nothing in a lab that is sound, and each kind of damage done to a copy of it.
@Suite(.ownThreads) struct AuditorTests {
    /// Where the labs are kept from which copies are made.
    private static let kept = TemporaryFolder.untilExit()

    private static func keep(_ name: String, _ body: (Lab) throws -> String) throws -> String {
        let lab = try Lab.open()
        try lab.tell(try body(lab))
        lab.store?.kill()
        lab.backend?.kill()
        try FileManager.default.copyItem(atPath: lab.folder, toPath: kept.file(name))
        return kept.file(name)
    }

    /// A lab with purchases of each kind that have all come to their end, a family in which one of
    /// them is shared, and money that was asked back and not given.
    private static let sound = Result<String, any Error> {
        try keep("sound") { lab in
            let track = try shareTrack(lab)
            let wishes = [[Lab.turbo], [Lab.fuel, "--quantity", "2"], [Lab.fuel], [Lab.turbo]]
            let told =
                try wishes.map { try lab.app(["buy"] + $0) }.joined() + lab.settle()
                + lab.app(["restore"])
            try lab.shareValues()
            try lab.openProduction("payer@example.com", credit: "20")
            let paid = try lab.app(
                ["buy", "com.example.rocketcar.season"], device: "wallet",
                user: "payer:steering-wheel-1",
                environment: lab.productionEnvironment.merging([
                    "STOREKIT_ACCOUNT": "payer@example.com:rocket-fuel-1"
                ]) { $1 })
            try lab.tell(paid, device: "wallet")
            return track + told
        }
    }

    /// Has the phone buy what its family shares, and a kid's device take and finish that; what the
    /// phone was told.
    private static func shareTrack(_ lab: Lab) throws -> String {
        try lab.bodega(["account", "add", "kid@example.com", "--password", "rocket-fuel-1"])
        let user = ["STOREKIT_ACCOUNT": "kid@example.com:rocket-fuel-1"]
        func app(_ arguments: [String]) throws -> String {
            try lab.app(
                arguments, device: "kid", user: "kid:steering-wheel-1", environment: user)
        }
        let fuel = try app(["buy", Lab.fuel])
        try lab.bodega(["family", "make", "buyer@example.com"])
        try lab.bodega(["family", "add", "1", "kid@example.com"])
        let told = try lab.app(["buy", "com.example.rocketcar.moontrack"])
        let shared = try app(["launch", "--settle", "1.5", "--time-limit", "150"])
        try lab.tell(fuel + shared, device: "kid")
        let track = String(try #require(told.firstMatch(of: /purchased [^ ]+ ([0-9]+)/)).1)
        try lab.bodega(["refund", "request", track, "--reason", "legal"])
        try lab.bodega(["refund", "decline", track])
        return told
    }

    /// One with a purchase approved and not asked, and another told and not finished.
    private static let halfWay = Result<String, any Error> {
        try keep("half-way") { lab in
            func buy(_ crash: String, device: String, user: String) throws -> String {
                try lab.app(
                    ["buy", Lab.fuel], device: device, user: user,
                    environment: ["BODEGA_CRASH_POINT": crash], code: nil)
            }
            let told = try buy("device-finish-written", device: "phone", user: "driver:wheel-1234")
            let other = try buy("device-attempt-approved", device: "tablet", user: "co:wheel-5678")
            try lab.tell(other, device: "tablet")
            return told
        }
    }

    /// What the auditor says of a copy after some damage was done to it. The lab itself is copied
    /// by other tests meanwhile, and the auditor works in its folder.
    private func findings(
        _ lab: String, settled: Bool = true, after damage: (String) throws -> Void = { _ in }
    ) throws -> [String] {
        let folder = TemporaryFolder()
        let copy = folder.file("lab")
        try FileManager.default.copyItem(atPath: lab, toPath: copy)
        try damage(copy)
        return try Auditor.findings(in: copy, settled: settled, logs: copy + "/logs")
    }

    @Test
    func `a sound lab has no findings, and a half-done one only when it should be settled`()
        throws
    {
        #expect(try findings(Self.sound.get()) == [])
        let halfWay = try Self.halfWay.get()
        #expect(try findings(halfWay, settled: false) == [])
        let codes = Set(try findings(halfWay).map { $0.prefix { $0 != ":" } })
        #expect(codes.isSuperset(of: ["unfinished", "finish-waiting", "attempt-waiting"]))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        var database = "store/worlds/default.sqlite"
        let statements: [String]

        init(_ code: String, _ statements: String..., in database: String? = nil) {
            self.code = code
            self.statements = statements
            if let database { self.database = database }
        }

        var testDescription: String { "\(code): \(statements.first ?? "")" }
    }

    private static let backend = "backend/backend.sqlite"
    private static let newest = "(SELECT max(id) FROM store_transaction)"
    private static let fuel = "(SELECT max(id) FROM store_transaction WHERE kind = 'consumable')"
    private static let copied = "CREATE TABLE copied AS SELECT * FROM store_transaction"

    /// An attempt that waits for approval; sound as it is.
    private static let asked = [
        """
        INSERT INTO attempt SELECT device_id, 'ASKED', account_id, body_digest, 'deferred', NULL,
            NULL, created_ms, changed_ms, NULL, NULL, NULL FROM attempt LIMIT 1
        """,
        """
        INSERT INTO waiting_purchase (number, device_id, attempt_id, account_id, cause,
            product_id, quantity, asked_ms)
        SELECT 1, device_id, attempt_id, account_id, 'approval', '\(Lab.fuel)', 1, created_ms
        FROM attempt WHERE attempt_id = 'ASKED'
        """,
    ]

    @Test func `a purchase awaiting approval is not a finding`() throws {
        let found = try findings(Self.sound.get()) { copy in
            let file = try SQLiteFile(copy + "/store/worlds/default.sqlite")
            for statement in Self.asked { _ = try file.rows(statement) }
        }
        #expect(found == [])
    }

    @Test(arguments: [
        Row("attempt-open", "DELETE FROM waiting_purchase"),
        Row("request-lost", "DELETE FROM attempt WHERE attempt_id = 'ASKED'"),
        Row("request-wrong", "UPDATE attempt SET state = 'done' WHERE attempt_id = 'ASKED'"),
        Row("request-wrong", "UPDATE waiting_purchase SET answer = 'approved', answered_ms = 1"),
        Row("request-wrong", "UPDATE waiting_purchase SET account_id = 0"),
        Row("request-wrong", "UPDATE waiting_purchase SET cause = 'payment'"),
        Row(
            "event-lost", "UPDATE waiting_purchase SET answer = 'declined', answered_ms = 1",
            "UPDATE attempt SET state = 'refused' WHERE attempt_id = 'ASKED'"),
        Row(
            "sale-wrong",
            "UPDATE waiting_purchase SET answer = 'approved', answered_ms = asked_ms + 1",
            "UPDATE waiting_purchase SET (device_id, attempt_id, quantity) = "
                + "(SELECT device_id, attempt_id, 9 FROM attempt WHERE state = 'done' LIMIT 1)",
            "DELETE FROM attempt WHERE attempt_id = 'ASKED'"),
    ])
    func `the auditor finds damage to a waiting purchase`(row: Row) throws {
        let found = try findings(Self.sound.get()) { copy in
            let file = try SQLiteFile("\(copy)/\(row.database)")
            for statement in Self.asked + row.statements { _ = try file.rows(statement) }
        }
        #expect(found.contains { $0.hasPrefix(row.code + ":") }, "\(found)")
    }

    @Test(arguments: [
        Row(
            "number-twice", copied, "DROP TABLE store_transaction",
            "CREATE TABLE store_transaction AS SELECT * FROM copied",
            "INSERT INTO store_transaction SELECT * FROM copied LIMIT 1"),
        Row(
            "sale-without-attempt", copied,
            "UPDATE copied SET id = id + 100, original_id = id + 100, attempt_id = 'another'",
            "INSERT INTO store_transaction SELECT * FROM copied WHERE id = \(fuel) + 100"),
        Row("app-wrong", "UPDATE app_transaction SET app_version = '9.9'"),
        Row("app-wrong", "UPDATE app_transaction SET purchased_ms = purchased_ms - 2000"),
        Row("app-wrong", "UPDATE app SET app_number = 42"),
        Row("app-unknown", "DELETE FROM app_transaction"),
        Row("deleted-left", "UPDATE account SET deleted_ms = 1"),
        Row(
            "deleted-left", "DELETE FROM device_token", "DELETE FROM key_value",
            "DELETE FROM device_receipt", "DELETE FROM family_member",
            "UPDATE account SET deleted_ms = 1, name = 'deleted-' || id, password_hash = ''",
            "UPDATE store_transaction SET application_username = 'somebody'"),
        Row("number-unissued", "UPDATE environment SET transaction_next = transaction_next - 1"),
        Row("sale-lost", "DELETE FROM store_transaction WHERE id = \(fuel)"),
        Row("sale-twice", "UPDATE attempt SET transaction_id = \(newest)"),
        Row("attempt-open", "UPDATE attempt SET state = 'posted' WHERE rowid = 1"),
        Row("answer-finished", "UPDATE attempt SET finished_ms = changed_ms WHERE rowid = 1"),
        Row("row-without-parent", "PRAGMA foreign_keys = OFF", "DELETE FROM account"),
        Row("told-lost", "DELETE FROM store_transaction WHERE id = \(fuel)"),
        Row("product-unknown", "UPDATE store_transaction SET product_id = 'nothing'"),
        Row("money", "UPDATE store_transaction SET charged_milliunits = 1 WHERE id = \(fuel)"),
        Row("money", "UPDATE store_transaction SET charged_milliunits = 2990 WHERE id = \(newest)"),
        Row("original-wrong", "UPDATE store_transaction SET original_id = id"),
        Row("event-twice", "UPDATE event SET transaction_id = \(fuel) WHERE kind = 'purchased'"),
        Row("event-gap", "DELETE FROM event WHERE number = 2"),
        Row(
            "event-lost",
            "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT id, 'issue', purchased_ms FROM store_transaction"
        ),
        Row(
            "receipt-wrong",
            "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT id, 'issue', purchased_ms FROM store_transaction"
        ),
        Row(
            "revoked-half",
            "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT min(id), 'issue', max(purchased_ms) "
                + "FROM store_transaction WHERE kind = 'nonConsumable'"),
        Row("event-back", "UPDATE event SET at_ms = at_ms - 86400000 WHERE number = 3"),
        Row("event-lost", "DELETE FROM event WHERE kind = 'finished'"),
        Row("unfinished", "UPDATE store_transaction SET finished_ms = NULL WHERE id = \(fuel)"),
        Row("finish-lost", "UPDATE store_transaction SET finished_ms = NULL WHERE id = \(fuel)"),
        Row(
            "receipt-incomplete",
            "UPDATE store_transaction SET finished_ms = NULL WHERE id = \(fuel)"),
        Row("receipt-wrong", "UPDATE store_transaction SET purchased_ms = purchased_ms - 2000"),
        Row("receipt-behind", "UPDATE receipt_revision SET revision = revision + 1"),
        Row("receipt-ahead", "UPDATE receipt_revision SET revision = 1"),
        Row("restored-wrong", "UPDATE store_transaction SET restored_id = 7 WHERE id = \(newest)"),
        Row("restored-wrong", "UPDATE store_transaction SET quantity = 2 WHERE id = \(newest)"),
        Row("restored-wrong", "UPDATE restore SET application_username = 'somebody'"),
        Row("restored-wrong", "DELETE FROM restore"),
        Row("restored-wrong", "DELETE FROM restore_page"),
        Row(
            "restored-twice", copied,
            "UPDATE copied SET id = id + 1, attempt_id = 'x', restored_id = (SELECT max(id) "
                + "FROM store_transaction WHERE restore_id IS NULL)",
            "UPDATE environment SET transaction_next = transaction_next + 1",
            "INSERT INTO store_transaction SELECT * FROM copied WHERE id = \(newest) + 1"),
        Row("restore-lost", "DELETE FROM store_transaction WHERE restore_id IS NOT NULL"),
        Row("restore-broken", "UPDATE restore_page SET after_id = 1"),
        Row("money", "UPDATE store_transaction SET charged_milliunits = 1 WHERE id = \(newest)"),
        Row("key-value-damaged", #"UPDATE key_value SET value = '{"url":1}'"#),
        Row("key-value-damaged", "UPDATE key_value SET name = ''"),
        Row("key-value-size", "UPDATE key_value SET byte_count = byte_count + 1"),
        Row("key-value-revision", "UPDATE key_value SET revision = revision + 9"),
        Row("key-value-ahead", "UPDATE key_value_revision SET revision = 0"),
        Row(
            "key-values-full",
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
            INSERT INTO key_value
            SELECT account_id, app_id, 'more ' || i, value, byte_count, revision, changed_ms
            FROM key_value, n WHERE name = 'level'
            """),
        Row(
            "charge-lost", "DROP TRIGGER ledger_entry_stays",
            "UPDATE ledger_entry SET transaction_id = \(newest) WHERE kind = 'charge'"),
        Row(
            "charge-wrong",
            "UPDATE store_transaction SET charged_milliunits = 1 WHERE environment = 'production'"),
        Row("balance-wrong", "UPDATE credit_balance SET milliunits = milliunits - 1"),
        Row(
            "entry-unbalanced", "DROP TRIGGER ledger_posting_stays",
            "UPDATE ledger_posting SET milliunits = milliunits - 1 WHERE milliunits < 0"),
        Row(
            "refund-wrong",
            "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT id, 'issue', purchased_ms FROM store_transaction "
                + "WHERE environment = 'production'"),
        Row("copy-lost", "DELETE FROM store_transaction WHERE shared_id IS NOT NULL"),
        Row("copy-kept", "DELETE FROM family_member WHERE is_organiser = 0"),
        Row("family-wrong", "UPDATE family_member SET is_organiser = 0"),
        Row(
            "copy-wrong", "UPDATE store_transaction SET quantity = 2 WHERE shared_id IS NOT NULL"),
        Row(
            "unfinished",
            "UPDATE store_transaction SET finished_ms = NULL WHERE shared_id IS NOT NULL"),
        Row("event-lost", "UPDATE event SET kind = 'told' WHERE kind = 'shared'"),
        Row("request-lost", "DELETE FROM refund_request"),
        Row("request-wrong", "UPDATE refund_request SET requested_ms = requested_ms + 9999999999"),
        Row("event-lost", "DELETE FROM event WHERE kind = 'refundDeclined'"),
        Row("grant-lost", "DELETE FROM grants WHERE kind = 'consumable'", in: backend),
        Row(
            "granted-twice", "CREATE TABLE copied AS SELECT * FROM grants",
            "UPDATE copied SET key_transaction = key_transaction || '0'",
            "INSERT INTO grants SELECT * FROM copied LIMIT 1", in: backend),
        Row(
            "granted-unsold", "UPDATE grants SET key_transaction = '1' WHERE rowid = 1",
            in: backend),
        Row("granted-wrong", "UPDATE grants SET quantity = 9 WHERE rowid = 1", in: backend),
        Row("granted-wrong", "UPDATE users SET name = 'somebody'", in: backend),
        Row(
            "submission-open",
            "UPDATE submissions SET state = 'kept', next_try_at = 1 "
                + "WHERE rowid = 1", in: backend),
        Row(
            "submission-refused", "UPDATE submissions SET state = 'refused' WHERE rowid = 1",
            in: backend),
    ])
    func `the auditor finds damage in a database`(row: Row) throws {
        let found = try findings(Self.sound.get()) { copy in
            let file = try SQLiteFile("\(copy)/\(row.database)")
            for statement in row.statements { _ = try file.rows(statement) }
        }
        #expect(found.contains { $0.hasPrefix(row.code + ":") }, "\(found)")
    }

    @Test func `the auditor finds a damaged page`() throws {
        let found = try findings(Self.sound.get()) { copy in
            let path = copy + "/store/worlds/default.sqlite"
            _ = try SQLiteFile(path).rows("PRAGMA wal_checkpoint(TRUNCATE)")
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            for page in 2..<40 {
                try file.seek(toOffset: UInt64(page * 4_096))
                try file.write(contentsOf: Data(repeating: 0xAB, count: 64))
            }
            try file.close()
        }
        #expect(found.contains { $0.hasPrefix("database-damaged:") }, "\(found)")
    }

    @Test func `a consumable revoked while unfinished is missing from no receipt`() throws {
        let found = try findings(Self.sound.get()) { copy in
            let file = try SQLiteFile("\(copy)/store/worlds/default.sqlite")
            _ = try file.rows(
                "UPDATE store_transaction SET finished_ms = NULL WHERE id = \(Self.fuel)")
            _ = try file.rows(
                "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT id, 'issue', purchased_ms FROM store_transaction "
                    + "WHERE id = \(Self.fuel)")
        }
        #expect(!found.isEmpty)
        #expect(!found.contains { $0.hasPrefix("receipt-incomplete:") }, "\(found)")
    }

    @Test func `the auditor finds a receipt with a flipped bit and one of another device`() throws {
        let lab = try Self.sound.get()
        let turned = try findings(lab) { copy in
            let path = copy + "/phone/StoreKit/sandboxReceipt"
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        #expect(turned.contains { $0.hasPrefix("receipt-false:") }, "\(turned)")
        let gone = try findings(lab) { copy in
            try FileManager.default.removeItem(atPath: copy + "/phone/StoreKit/sandboxReceipt")
        }
        #expect(gone.contains { $0.hasPrefix("receipt-missing:") }, "\(gone)")
        let foreign = try findings(lab) { copy in
            try rewrite(copy + "/phone/device.json") {
                $0.replacing(/"guid" ?: ?"[0-9A-Fa-f]{8}/, with: #""guid":"00000000"#)
            }
        }
        #expect(foreign.contains { $0.hasPrefix("receipt-foreign:") }, "\(foreign)")
    }

    @Test func `the auditor finds a truncated journal, a lost finish and leftovers`() throws {
        let lab = try Self.halfWay.get()
        func journal(_ copy: String, _ prefix: String) throws -> String {
            let folder = "\(copy)/\(prefix == "attempt-" ? "tablet" : "phone")/journal"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return try #require(names.first { $0.hasPrefix(prefix) }.map { "\(folder)/\($0)" })
        }
        let cut = try findings(lab, settled: false) { copy in
            try rewrite(try journal(copy, "attempt-")) { String($0.prefix(40)) }
        }
        #expect(cut.contains { $0.hasPrefix("journal-damaged:") }, "\(cut)")
        let lost = try findings(lab, settled: false) { copy in
            let path = try journal(copy, "finish-")
            let number = path.split(separator: "-")[path.split(separator: "-").count - 6]
            try FileManager.default.removeItem(atPath: path)
            try rewrite(copy + "/told/phone.txt") { $0 + "finished \(Lab.fuel) \(number)\n" }
        }
        #expect(lost.contains { $0.hasPrefix("finish-lost:") }, "\(lost)")
        let unknown = try findings(lab, settled: false) { copy in
            try rewrite(try journal(copy, "finish-")) {
                $0.replacing(/"transactionId":"[0-9]+"/, with: #""transactionId":"7""#)
            }
        }
        #expect(unknown.contains { $0.hasPrefix("finish-unknown:") }, "\(unknown)")
    }

    @Test func `the auditor finds repeated and unrequested deliveries and an empty tank`() throws {
        let lab = try Self.sound.get()
        let back = try findings(lab) { copy in
            try rewrite(copy + "/told/phone.txt") { told in
                told + (told.split(separator: "\n").first { $0.hasPrefix("purchased ") } ?? "")
                    + "\n"
            }
        }
        #expect(back.contains { $0.hasPrefix("came-back:") }, "\(back)")
        let promised = try findings(lab) { copy in
            try rewrite(copy + "/told/phone.txt") { told in
                let number = told.firstMatch(of: /purchased [^ ]+ ([0-9]+)/).map { $0.1 } ?? ""
                return "promised finish \(number)\npromised attempt GONE\n" + told
            }
        }
        for code in ["came-back:", "promise-lost:"] {
            #expect(promised.contains { $0.hasPrefix(code) }, "\(promised)")
        }
        let litter = try findings(lab) { copy in
            try Data().write(
                to: URL(fileURLWithPath: copy + "/phone/journal/attempt-1.json.2.3.tmp"))
        }
        #expect(litter.contains { $0.hasPrefix("litter:") }, "\(litter)")
        let unasked = try findings(lab) { copy in
            try FileManager.default.removeItem(atPath: copy + "/told/phone.txt")
        }
        #expect(unasked.contains { $0.hasPrefix("bought-unasked:") }, "\(unasked)")
        let empty = try findings(lab) { copy in
            try FileManager.default.removeItem(atPath: copy + "/phone-app/game.json")
        }
        #expect(empty.contains { $0.hasPrefix("game-lost:") }, "\(empty)")
    }

    @Test func `a download of a restored purchase is not a finding before all is settled`() throws {
        let lab = try Self.sound.get()
        let told = try String(contentsOfFile: lab + "/told/phone.txt", encoding: .utf8)
        let given = try #require(told.firstMatch(of: /restored [^ ]+ ([0-9]+)/)).1
        let record = #"{"stage":"started","transactionId":"\#(given)"}"#
        let due: [(isSettled: Bool, codes: [String])] = [(true, ["download-left"]), (false, [])]
        for (isSettled, codes) in due {
            let found = try findings(lab, settled: isSettled) { copy in
                try Data(record.utf8).write(
                    to: URL(fileURLWithPath: "\(copy)/phone/journal/download-\(given)-W.json"))
            }
            #expect(found.map { String($0.prefix { $0 != ":" }) } == codes, "\(found)")
        }
    }

    @Test func `the auditor finds downloads of unsold or finished purchases`() throws {
        let lab = try Self.sound.get()
        let told = try String(contentsOfFile: lab + "/told/phone.txt", encoding: .utf8)
        let sold = try #require(told.firstMatch(of: /purchased [^ ]+ ([0-9]+)/)).1
        for (number, finding) in [("7", "download-unknown:"), (String(sold), "download-left:")] {
            let found = try findings(lab) { copy in
                let record = #"{"stage":"paused","transactionId":"\#(number)"}"#
                try Data(record.utf8).write(
                    to: URL(fileURLWithPath: "\(copy)/phone/journal/download-\(number)-W.json"))
            }
            #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
        }
        let left = try findings(lab) { copy in
            try FileManager.default.createDirectory(
                atPath: copy + "/phone/Caches/1-W", withIntermediateDirectories: true)
        }
        #expect(left.contains { $0.hasPrefix("content-left:") }, "\(left)")
    }

    private func rewrite(_ path: String, _ change: (String) -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(change(text).utf8).write(to: URL(fileURLWithPath: path))
    }
}

extension Lab {
    /// Keeps what the app on a device printed for the auditor.
    /// Has the phone share a value, and waits until the store has it and the phone knows.
    fileprivate func shareValues() throws {
        let phone = try Program(
            "KeyValueProbe", ["set=level=7", "stay"], environment: appEnvironment(),
            logs: folder + "/logs")
        defer { phone.kill() }
        let isShared = try eventually {
            try count("SELECT count(*) FROM key_value WHERE value IS NOT NULL", in: storeFile) == 1
        }
        #expect(isShared)
        let values = folder + "/phone/key-values"
        let isKnown = eventually {
            let found = FileManager.default.enumerator(atPath: values)?.compactMap { $0 as? String }
            let names = found ?? []
            // While it is written it has another name.
            return !names.contains { $0.hasSuffix(".tmp") }
                && names.contains { name in
                    (try? String(contentsOfFile: "\(values)/\(name)", encoding: .utf8))?
                        .contains(#""revision":1"#) == true
                }
        }
        #expect(isKnown)
    }

    func tell(_ output: String, device: String = "phone") throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/told", withIntermediateDirectories: true)
        try Data(output.utf8).write(to: URL(fileURLWithPath: "\(folder)/told/\(device).txt"))
    }
}
