import CrashPoints
import Foundation
import StoreModel
import StoreWire
import TestSupport
import Testing

/// Kills the store while it extends all subscribers of a product; the next start goes on, and each
/// is extended once.
@Suite(.ownThreads) struct MassExtensionCrashTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        let time: Int

        var testDescription: String { "\(point.rawValue):\(time)" }
    }

    /// Three commits have subscribers, and a fourth completes the request.
    static let rows = [1, 3, 4].flatMap { time in
        [CrashPoint.storeExtensionsMade, .storeExtensionsCommitted].map {
            Row(point: $0, time: time)
        }
    }

    private static let subscribers: Int64 = 450
    /// Every tenth of the copies is on a free trial.
    private static let trials: Int64 = 44
    private static let days: Int64 = 7

    /// A subscriber, many times over, and a request that is not carried out yet; the store is down.
    private func prepare(_ lab: Lab) throws {
        try lab.bodega(["clock", "pace", "calendar"])
        let token = try lab.signedInDevice()
        _ = try Lab.call(
            "POST", lab.storeURL + "/sandbox/device/v1/attempts", token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: "A1111111-2222-4333-8444-555555555555", productId: Lab.club,
                    quantity: 1, applicationUsername: nil)))
        lab.store?.terminate()
        try lab.store?.wait()
        let file = try SQLiteFile(lab.storeFile)
        for table in ["account", "store_transaction", "subscription"] {
            _ = try file.rows("CREATE TEMP TABLE copied_\(table) AS SELECT * FROM \(table)")
        }
        _ = try file.rows("BEGIN")
        for number in 1..<Self.subscribers {
            let mode = number % 10 == 0 ? "'freeTrial'" : "NULL"
            for change in [
                "account SET id = id + 1, name = 'fan\(number)'",
                """
                store_transaction SET id = id + 1, original_id = original_id + 1,
                account_id = account_id + 1, attempt_id = 'copy \(number)'
                """,
                """
                subscription SET original_id = original_id + 1, newest_id = newest_id + 1,
                account_id = account_id + 1, offer_mode = \(mode), offer_milliunits = 0,
                offer_periods_left = 0,
                offer_kind = \(mode.replacing("freeTrial", with: "introductory"))
                """,
            ] {
                let table = change.prefix { $0 != " " }
                _ = try file.rows("UPDATE copied_\(change)")
                _ = try file.rows("INSERT INTO \(table) SELECT * FROM copied_\(table)")
            }
        }
        _ = try file.rows(
            """
            UPDATE environment SET transaction_next = transaction_next + \(Self.subscribers)
            WHERE kind = 'sandbox'
            """)
        _ = try file.rows(
            """
            INSERT INTO mass_extension (number, environment, app_id, request_key, request_id,
                product_id, days, asked_ms, last_id, position)
            SELECT 1, environment, app_id, 'a', 'A', product_id, \(Self.days), 0,
                max(original_id), 0 FROM subscription
            """)
        _ = try file.rows("COMMIT")
    }

    @Test(arguments: rows)
    func `a store killed while it extends all subscribers extends each once`(row: Row) throws {
        let lab = try Lab.open(withBackend: false)
        try prepare(lab)
        let ends = "SELECT sum(expires_ms) FROM store_transaction"
        let before = try lab.count(ends, in: lab.storeFile)
        try lab.startStore(
            environment: ["BODEGA_CRASH_POINT": "\(row.point.rawValue):\(row.time)"],
            mustWait: false)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        let complete = "SELECT count(*) FROM mass_extension WHERE completed_ms IS NOT NULL"
        try #require(eventually { (try? lab.count(complete, in: lab.storeFile)) == 1 })
        let failed = Self.trials
        let succeeded = Self.subscribers - failed
        let counts = try SQLiteFile(lab.storeFile).rows(
            "SELECT succeeded, failed FROM mass_extension")
        #expect(counts == [["\(succeeded)", "\(failed)"]])
        for (kind, count) in [("extended", succeeded), ("extensionFailed", failed)] {
            let events = """
                FROM event WHERE kind = '\(kind)' AND subject = 'a'
                """
            #expect(try lab.count("SELECT count(*) \(events)", in: lab.storeFile) == count)
            #expect(
                try lab.count(
                    "SELECT count(DISTINCT transaction_id) \(events)", in: lab.storeFile) == count)
        }
        let given = succeeded * Self.days * Timestamp.dayMilliseconds
        #expect(try lab.count(ends, in: lab.storeFile) == before + given)
    }
}
