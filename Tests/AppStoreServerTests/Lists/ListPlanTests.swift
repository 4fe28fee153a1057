import StoreDatabase
import Testing

@testable import AppStoreServer

/// Lists for the owner stay fast in a world of millions of rows: each is read along an index, and in
/// its order.
struct ListPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let sql: String
        let valueCount: Int
        /// What is searched along which index.
        let paths: [String]
        /// Whether it sorts the few rows that it finds.
        var sorts = false

        var testDescription: String { name }
    }

    private static let salesByNumber = "sold USING INDEX sqlite_autoindex_store_transaction_1"

    private static func sales(_ source: SaleSource) -> [String] {
        switch source {
        case .walk: ["\(salesByNumber) (id>? AND id<?)"]
        case .account:
            ["\(salesByNumber) (id=?)", "event USING INDEX event_by_account (account_id=?)"]
        case .product:
            [
                "\(salesByNumber) (id=?)",
                "store_transaction USING INDEX transaction_by_product "
                    + "(app_id=? AND product_id=?)",
            ]
        case .app:
            [
                "\(salesByNumber) (id=?)",
                "store_transaction USING INDEX transaction_by_product (app_id=?)",
            ]
        case .revoked:
            [
                "\(salesByNumber) (id=?)",
                "revocation USING COVERING INDEX sqlite_autoindex_revocation_1 "
                    + "(transaction_id>? AND transaction_id<?)",
            ]
        }
    }

    private static func events(_ source: EventSource) -> [String] {
        let byNumber = "event USING INDEX sqlite_autoindex_event_1"
        return switch source {
        case .walk: ["\(byNumber) (number>? AND number<?)"]
        case .account:
            [
                "\(byNumber) (number=?)",
                "own USING COVERING INDEX event_by_account (account_id=?)",
            ]
        }
    }

    private static func devices(_ source: DeviceSource) -> [String] {
        let byNumber = "device USING INDEX sqlite_autoindex_device_1"
        return switch source {
        case .walk: ["\(byNumber) (id>? AND id<?)"]
        case .account:
            [
                "\(byNumber) (id=?)",
                "device_account USING INDEX device_account_by_account (account_id=?)",
            ]
        }
    }

    private static func entries(_ source: LedgerSource) -> [String] {
        let byNumber = "ledger_entry USING INDEX sqlite_autoindex_ledger_entry_1"
        return switch source {
        case .walk: ["\(byNumber) (number>? AND number<?)"]
        case .account:
            [
                "\(byNumber) (number=?)",
                "ledger_posting USING COVERING INDEX ledger_posting_by_account "
                    + "(account_kind=? AND account_id=?)",
            ]
        }
    }

    private static func counted(_ count: AccountCount) -> [String] {
        switch count {
        case .devices:
            ["device_account USING COVERING INDEX device_account_by_account (account_id=?)"]
        case .sales:
            ["event USING INDEX event_by_account (account_id=?)", "\(salesByNumber) (id=?)"]
        case .waitingPurchases:
            [
                "waiting_purchase USING INDEX waiting_purchase_by_account (account_id=?)"
            ]
        }
    }

    private static func counted(_ count: OverviewCount) -> [String] {
        switch count {
        case .accounts: ["account USING INDEX sqlite_autoindex_account_2 (environment=?)"]
        case .devices: ["device USING COVERING INDEX sqlite_autoindex_device_2 (environment=?)"]
        case .transactions: ["\(salesByNumber) (id>? AND id<?)"]
        case .refundRequests:
            [
                "refund_request USING INDEX sqlite_autoindex_refund_request_1 "
                    + "(transaction_id>? AND transaction_id<?)"
            ]
        case .approvals, .interruptions, .payments:
            ["waiting_purchase USING INDEX waiting_purchase_by_cause (cause=?)"]
        // The newest, in the order of their numbers.
        case .failedNotifications: []
        }
    }

    static let counts: [Row] =
        AccountCount.allCases.map {
            Row(
                name: "an account's \($0)", sql: $0.statement.sql, valueCount: 2,
                paths: counted($0))
        }
        + OverviewCount.allCases.map {
            Row(
                name: "an environment's \($0)", sql: $0.statement.sql, valueCount: 4,
                paths: counted($0))
        } + [
            Row(
                name: "an account's subscriptions", sql: AccountCount.subscriptions.sql,
                valueCount: 2,
                paths: ["subscription USING INDEX sqlite_autoindex_subscription_2 (account_id=?)"]),
            Row(
                name: "an environment's subscriptions", sql: OverviewCount.subscriptions.sql,
                valueCount: 4,
                paths: [
                    "subscription USING INDEX sqlite_autoindex_subscription_1 "
                        + "(original_id>? AND original_id<?)"
                ]),
        ]

    static let pages: [Row] = ListOrder.allCases.flatMap { pages(in: $0) }

    private static func pages(in order: ListOrder) -> [Row] {
        var rows: [Row] = []
        for source in SaleSource.allCases {
            rows.append(
                Row(
                    name: "sales, \(source), \(order)", sql: source.page(order), valueCount: 9,
                    paths: sales(source)))
        }
        for source in EventSource.allCases {
            rows.append(
                Row(
                    name: "events, \(source), \(order)", sql: source.page(order), valueCount: 7,
                    paths: events(source)))
        }
        for source in DeviceSource.allCases {
            rows.append(
                Row(
                    name: "devices, \(source), \(order)", sql: source.page(order), valueCount: 6,
                    paths: devices(source)))
        }
        for source in LedgerSource.allCases {
            rows.append(
                Row(
                    name: "ledger entries, \(source), \(order)", sql: source.page(order),
                    valueCount: 7, paths: entries(source)))
        }
        rows.append(
            Row(
                name: "accounts, \(order)", sql: accountPage(order), valueCount: 6,
                paths: [
                    "account USING INDEX sqlite_autoindex_account_1 (id>? AND id<?)",
                    "device_token USING INDEX device_token_by_account (account_id=?)",
                ]))
        for table in NumberedTable.all {
            let index = "sqlite_autoindex_\(table.name)_1"
            rows.append(
                Row(
                    name: "how far a page looks, \(table.name), \(order)",
                    sql: table.walkEnd(order), valueCount: 3,
                    paths: [
                        "\(table.name) USING COVERING INDEX \(index) "
                            + "(\(table.number)>? AND \(table.number)<?)"
                    ]))
        }
        return rows
    }

    static let others: [Row] = [
        Row(
            name: "an app's sales of a product", sql: soldCount, valueCount: 3,
            paths: [
                "store_transaction USING COVERING INDEX transaction_by_product "
                    + "(app_id=? AND product_id=?)"
            ]),
        Row(
            name: "an app's sales", sql: soldCountOfApp, valueCount: 2,
            paths: ["store_transaction USING COVERING INDEX transaction_by_product (app_id=?)"]),
        Row(
            name: "the apps of a product", sql: appsOfProduct, valueCount: 2,
            paths: [
                "product USING COVERING INDEX sqlite_autoindex_product_1 "
                    + "(app_id=? AND product_id=?)",
                "store_transaction USING COVERING INDEX transaction_by_product "
                    + "(app_id=? AND product_id=?)",
            ]),
        Row(
            name: "an account", sql: accountRow, valueCount: 2,
            paths: ["account USING INDEX sqlite_autoindex_account_1 (id=?)"]),
        Row(
            name: "the next account of the ledger", sql: nextLedgerAccount, valueCount: 3,
            paths: [
                "ledger_posting USING COVERING INDEX ledger_posting_by_account "
                    + "(account_kind=? AND (account_id,currency)>(?,?))"
            ]),
        Row(
            name: "the sum of an account of the ledger", sql: ledgerAccountSum, valueCount: 3,
            paths: [
                "ledger_posting USING INDEX ledger_posting_by_account "
                    + "(account_kind=? AND account_id=? AND currency=?)"
            ]),
        Row(
            name: "the ledger's entries of a sale", sql: ledgerReferences, valueCount: 1,
            paths: ["ledger_entry USING INDEX ledger_entry_by_transaction (transaction_id=?)"]),
        Row(
            name: "the payment of a sale", sql: paymentOfSale, valueCount: 1,
            paths: ["payment USING INDEX sqlite_autoindex_payment_3 (transaction_id=?)"]),
        Row(
            name: "what changed of an account's signed data", sql: changedTransactions,
            valueCount: 5,
            paths: [
                "event USING INDEX event_by_account (account_id=? AND app_id=? AND number>?)",
                "copy USING INDEX transaction_by_restored (device_id=? AND restored_id=?)",
                "own USING INDEX sqlite_autoindex_store_transaction_1 (id=?)",
                "store_transaction USING INDEX sqlite_autoindex_store_transaction_1 (id=?)",
                "device USING INDEX sqlite_autoindex_device_1 (id=?)",
            ], sorts: true),
        Row(
            name: "whether a status may have changed", sql: changedStatus, valueCount: 3,
            paths: [
                "event USING INDEX event_by_account (account_id=? AND app_id=? AND number>?)"
            ]),
        Row(
            name: "how much happened to an account", sql: eventCount, valueCount: 4,
            paths: [
                "event USING COVERING INDEX event_by_account "
                    + "(account_id=? AND app_id=? AND number>?)"
            ]),
        Row(
            name: "what changed of a family member's subscriptions", sql: sharedStatusEvents,
            valueCount: 4,
            paths: [
                "event USING INDEX event_by_account (account_id=? AND app_id=? AND number>?)",
                "store_transaction USING INDEX sqlite_autoindex_store_transaction_1 (id=?)",
            ]),
        Row(
            name: "whose subscriptions an account shares", sql: subscriptionOwners, valueCount: 2,
            paths: [
                "own USING INDEX transaction_shared (account_id=? AND shared_original_id>?)",
                "purchase USING INDEX sqlite_autoindex_store_transaction_1 (id=?)",
            ], sorts: true),
        Row(
            name: "who is signed in on a device", sql: accountsSignedIn, valueCount: 2,
            paths: ["device_token USING INDEX device_token_by_device (device_id=?)"],
            sorts: true),
        Row(
            name: "a subscription's periods", sql: periodsOfSubscription, valueCount: 5,
            paths: [
                "sold USING INDEX transaction_lasting "
                    + "(account_id=? AND app_id=? AND id>? AND id<?)"
            ]),
        Row(
            name: "a subscription's events", sql: eventsOfSubscription, valueCount: 5,
            paths: [
                "event USING INDEX event_by_account (account_id=? AND app_id=? AND number<?)",
                "sold USING INDEX sqlite_autoindex_store_transaction_1 (id=?)",
            ]),
        Row(
            name: "a device's attempts", sql: attemptRows, valueCount: 3,
            paths: ["attempt USING INDEX sqlite_autoindex_attempt_1 (device_id=?)"], sorts: true),
    ]

    @Test(arguments: pages + counts + others)
    func `a list goes along its index`(row: Row) throws {
        let store = try TestStore()
        let plan = try store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                "EXPLAIN QUERY PLAN \(row.sql)",
                (0..<row.valueCount).map { .integer(Int64($0)) }
            ).map { $0.text(3) }
        }
        for path in row.paths { #expect(plan.contains("SEARCH \(path)"), "\(plan)") }
        // What a statement itself found, apps, of which there are few, and the newest notifications, up
        // to a limit.
        let few = [
            "SCAN app", "SCAN found", "SCAN one", "SCAN told",
            "SCAN notification USING INDEX sqlite_autoindex_notification_1",
        ]
        let scans = plan.filter { $0.hasPrefix("SCAN") && !few.contains($0) }
        #expect(scans.filter { !$0.hasPrefix("SCAN app USING") } == [], "\(plan)")
        #expect(row.sorts || !plan.contains { $0.contains("ORDER BY") }, "\(plan)")
    }
}
