import StoreDatabase
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// A database that the first version filled, opened by this one.
struct MigrationTests {
    /// Each state there was, with its history and grant.
    private static let rows = [
        "INSERT INTO users VALUES ('u-1', 'Dora', 'dora', 'x', 1)",
        "INSERT INTO users VALUES ('u-2', 'Emil', 'emil', 'x', 2)",
        "INSERT INTO sessions VALUES (x'00', 'u-1', 1, 9000000000000)",
        "INSERT INTO receipts VALUES (x'01', 10, x'AA'), (x'02', 20, x'BBBB')",
        """
        INSERT INTO submissions VALUES
        ('s-1', 'u-1', x'01', 'turbo', '11', '1.2', '{"a":"b"}', 'granted', NULL, NULL, NULL, 2,
         10, 12, NULL),
        ('s-2', 'u-1', x'01', 'turbo', '12', '1.2', NULL, 'alreadyGranted', NULL, NULL, NULL, 1,
         20, 21, NULL),
        ('s-3', 'u-2', x'02', 'coins', '13', '1.2', NULL, 'refused', 'storeRefused', 21003, 'no',
         1, 30, 31, NULL),
        ('s-4', 'u-2', x'02', 'coins', '14', '1.2', NULL, 'kept', NULL, NULL, 'down', 3, 40, 41,
         50),
        ('s-5', 'u-2', x'02', 'coins', '15', '1.2', NULL, 'received', NULL, NULL, NULL, 0, 50,
         50, 60)
        """,
        """
        INSERT INTO submission_events (submission_id, at, state, request_id, detail) VALUES
        ('s-1', 10, 'received', 'r1', NULL), ('s-1', 11, 'receivedAgain', 'r2', NULL),
        ('s-1', 12, 'granted', 'worker', NULL), ('s-3', 31, 'refused', 'r3', 'storeRefused 21003')
        """,
        """
        INSERT INTO grants VALUES
        ('sandbox', '10', 'u-1', 's-1', 'turbo', 'nonConsumable', '11', '10', 1, 12)
        """,
    ]

    private func fill(_ folder: TemporaryFolder) throws {
        let first = try #require(BackendSchema.migrations.first)
        let database = try Database(
            path: folder.path + "/backend.sqlite", durability: .full, migrations: [first])
        try database.write { scope in
            for row in Self.rows { try scope.execute(row) }
        }
        database.close()
    }

    @Test func `every row is there, and can be looked up`() throws {
        let folder = TemporaryFolder()
        try fill(folder)
        let rig = try Rig(folder: folder)
        let granted = try rig.submission("s-1")
        #expect(granted.state == .granted)
        #expect(granted.userName == "Dora")
        #expect(granted.originalTransactionId == "10")
        #expect(granted.environment == "Sandbox")
        #expect(granted.timesReceived == 2)
        #expect(granted.tries == 2)
        #expect(granted.lastTriedAt == 12)
        #expect(granted.passThrough == ["a": "b"])
        #expect(granted.grant?.transactionId == "11")
        #expect(granted.grant?.refundedAt == nil)
        #expect(granted.history?.map(\.event) == ["received", "receivedAgain", "granted"])
        #expect(try rig.submission("s-2").state == .alreadyGranted)
        let refused = try rig.submission("s-3")
        #expect(refused.storeStatus == 21_003)
        #expect(refused.receipt.byteCount == 2)
        #expect(refused.receipt.droppedAt == nil)
        let kept = try rig.submission("s-4")
        #expect(kept.state == .kept)
        #expect(kept.nextTryAt == 50)
        #expect(try rig.submission("s-5").state == .received)
        let answer = try rig.look(query: [("transaction", "10")])
        let found = try WireJSON.decode(OperatorSubmissionsBody.self, from: answer.body)
        #expect(found.submissions.map(\.submissionId) == ["s-1"])
    }

    @Test func `a grant of the second version is marked by its original's refund`() throws {
        let folder = TemporaryFolder()
        try fill(folder)
        try Database(
            path: folder.path + "/backend.sqlite", durability: .full,
            migrations: Array(BackendSchema.migrations.prefix(2))
        ).close()
        let rig = try Rig(allowsSandbox: true, folder: folder)
        rig.store.answer(.text(StoreAnswers.status(21_007)))
        let purchases = [
            StoreAnswers.Purchase(product: "turbo", transaction: "10", isCancelled: true),
            StoreAnswers.Purchase(product: "turbo", transaction: "11", original: "10"),
        ]
        rig.store.answer(
            .text(StoreAnswers.verified(purchases, environment: .sandbox)), in: .sandbox)
        #expect(try rig.look("/s-1/recheck", method: "POST").status == 200)
        #expect(try rig.submission("s-1").grant?.refundedAt == 1_714_645_230_000)
    }

    @Test func `what was open goes on, and gets its week from its next try`() throws {
        let folder = TemporaryFolder()
        try fill(folder)
        let rig = try Rig(folder: folder)
        rig.store.answer(.failure(.unreachable))
        rig.parts.worker.round()
        rig.parts.worker.round()
        #expect(try rig.submission("s-4").state == .kept, "not given up, however old it is")
        #expect(
            try rig.submission("s-4").nextTryAt == rig.clock.now.milliseconds + 40_000,
            "after its fourth try")
        rig.store.verified(.init(transaction: "14"), .init(transaction: "15"))
        rig.clock.advance(milliseconds: 900_000)
        rig.parts.worker.round()
        #expect(try rig.submission("s-4").state == .granted)
        #expect(try rig.submission("s-5").state == .granted)
        #expect(try rig.count("SELECT count(*) FROM grants") == 3)
    }

    @Test func `a non-renewing subscription of the fifth version lasts as the list says`() throws {
        let folder = TemporaryFolder()
        try fill(folder)
        let database = try Database(
            path: folder.path + "/backend.sqlite", durability: .full,
            migrations: Array(BackendSchema.migrations.prefix(5)))
        _ = try database.write { scope in
            try scope.execute(
                """
                INSERT INTO grants (environment, key_transaction, user_id, submission_id,
                    product_id, kind, transaction_id, original_transaction_id, quantity,
                    granted_at, purchased_at)
                VALUES ('production', '16', 'u-1', 's-1', 'pass.week', 'nonRenewing', '16', '16', 1,
                    1714558830000, 1714558830000)
                """)
        }
        database.close()
        let rig = try Rig(products: Rig.subscriptions, folder: folder, secret: "secret")
        let standings = try rig.database.read {
            try rig.parts.receipts.standings.all(of: BackendUserID("u-1"), $0)
        }
        #expect(standings.map(\.productId) == ["pass.week"])
        #expect(standings.map(\.expires) == [1_714_558_830_000 + 7 * 86_400_000])
    }

    @Test func `a grace of the sixth version was told when its receipt is unified`() throws {
        let folder = TemporaryFolder()
        try fill(folder)
        let database = try Database(
            path: folder.path + "/backend.sqlite", durability: .full,
            migrations: Array(BackendSchema.migrations.prefix(6)))
        try database.write { scope in
            for (number, style) in [(1, "unified"), (2, "transaction")] {
                try scope.execute(
                    """
                    INSERT INTO latest_receipts VALUES (x'0\(number)', '\(style)', x'00')
                    """)
                try scope.execute(
                    """
                    INSERT INTO grants (environment, key_transaction, user_id, submission_id,
                        product_id, kind, transaction_id, original_transaction_id, quantity,
                        granted_at)
                    VALUES ('production', '\(number)', 'u-1', 's-1', 'gold', 'autoRenewable',
                        '\(number)', '\(number)', 1, 5)
                    """)
                try scope.execute(
                    """
                    INSERT INTO subscriptions (environment, original_transaction, user_id,
                        product_id, transaction_id, purchased_at, expires_at, newest_at, renews,
                        is_retried, grace_ends_at, answered_at, receipt_sha256, checked_at)
                    VALUES ('production', '\(number)', 'u-1', 'gold', '\(number)', 10, 20, 10, 1,
                        1, 40, 30, x'0\(number)', 30)
                    """)
            }
        }
        database.close()
        let rig = try Rig(products: Rig.subscriptions, folder: folder, secret: "secret")
        let facts = try rig.database.read { scope in
            try SubscriptionRecords.of(BackendUserID("u-1"), scope).map(\.facts)
        }
        #expect(facts.map(\.renewal.graceEndsAt?.milliseconds) == [40, 40])
        #expect(facts.map(\.renewal.isGraceEstimated) == [false, true])
        #expect(facts.map(\.renewal.isOver) == [false, true])
        #expect(facts.map(\.isClockEstimated) == [false, true])
    }
}
