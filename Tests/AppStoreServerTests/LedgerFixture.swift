import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import TestSupport
import Testing

@testable import AppStoreServer

/// A world's file with an app, its developer and some accounts, and nothing of a store around it.
final class LedgerFixture: Sendable {
    static let now = Timestamp(seconds: 1_000)
    static let app = AppID(1)
    static let dollar = Storefront.default.currency

    let folder = TemporaryFolder()
    let database: Database

    init() throws {
        let worlds = folder.path + "/worlds"
        try FileManager.default.createDirectory(
            atPath: worlds, withIntermediateDirectories: true)
        database = try Database(
            path: worlds + "/default.sqlite", durability: .processOnly,
            schema: WorldSchema.current)
        try database.write { scope in
            try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'com.example.a', x'7b7d', 'USA', 1, 1)
                """)
            try scope.execute(
                """
                INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
                VALUES (1, 'production', 1, 'G', '1', 1)
                """)
        }
    }

    deinit {
        database.close()
    }

    func account(
        _ name: String = "buyer", in environment: StoreEnvironment = .production,
        _ storefront: Storefront = .default
    ) throws -> Account {
        let id = try database.write { scope in
            try scope.addAccount(
                name, in: environment, storefront: storefront, passwordHash: "x",
                now: LedgerFixture.now)
        }
        return Account(
            id: try #require(id), environment: environment, name: name, storefront: storefront)
    }

    /// The row of something that was sold, without what it cost in the ledger.
    static func sell(
        _ number: Int64, to account: Account, _ scope: borrowing WriteScope
    ) throws -> TransactionID {
        try scope.execute(
            """
            INSERT INTO store_transaction (id, original_id, environment, app_id, account_id,
                device_id, attempt_id, product_id, kind, quantity, purchased_ms,
                originally_purchased_ms, charged_milliunits, currency, storefront)
            VALUES (?1, ?1, ?2, 1, ?3, 1, ?4, 'p', 'consumable', 1, 1, 1, 0, 'USD', 'USA')
            """,
            [
                .integer(number), .text(account.environment.rawValue),
                .integer(account.id.rawValue), .text("A\(number)"),
            ])
        return TransactionID(number)
    }

    /// Tops up, in the currency of the account's storefront.
    func give(_ milliunits: Int64, to account: Account) throws {
        let request = CreditRequest(
            id: UUID().uuidString, purpose: .topUp, account: account.id,
            environment: account.environment, storefront: account.storefront,
            milliunits: milliunits, currency: nil)
        let outcome = try database.write { try $0.change(request, at: LedgerFixture.now) }
        guard case .entered = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    /// Sells and charges in one commit.
    func charge(
        _ milliunits: Int64, to account: Account, for number: Int64
    ) throws -> ChargeOutcome {
        try database.write { scope in
            try LedgerFixture.charge(milliunits, to: account, for: number, scope)
        }
    }

    /// The same within a commit. Static, since a body that held the fixture might be what lets go
    /// of it last, on the writer's thread, which cannot close itself.
    static func charge(
        _ milliunits: Int64, to account: Account, for number: Int64,
        _ scope: borrowing WriteScope
    ) throws -> ChargeOutcome {
        let known = try scope.reading.transaction(TransactionID(number))
        let transaction = try known?.id ?? sell(number, to: account, scope)
        return try scope.charge(
            Money(milliunits: milliunits, currency: account.storefront.currency),
            to: account.id, for: transaction, of: LedgerFixture.app, in: account.environment,
            at: LedgerFixture.now)
    }

    func refund(
        _ milliunits: Int64?, of number: Int64, _ reference: String,
        currency: Currency = dollar
    ) throws -> RefundOutcome {
        try database.write { scope in
            try scope.refund(
                milliunits.map { Money(milliunits: $0, currency: currency) },
                of: TransactionID(number), reference: reference, at: LedgerFixture.now)
        }
    }

    func credit(of account: Account) throws -> Int64 {
        try database.read {
            try $0.credit(of: account.id, in: account.storefront.currency).milliunits
        }
    }

    /// What a developer account holds of a currency.
    func proceeds(of developer: Int64 = 1, in currency: Currency = dollar) throws -> Int64 {
        try number(
            """
            SELECT coalesce(sum(milliunits), 0) FROM ledger_posting
            WHERE account_kind = 'developer' AND account_id = \(developer)
                AND currency = '\(currency.code)'
            """)
    }

    func entryCount() throws -> Int64 { try number("SELECT count(*) FROM ledger_entry") }

    /// The one number that a query gives.
    func number(_ sql: String) throws -> Int64 {
        try database.read { try #require(try $0.row(sql)).integer(0) }
    }

    func execute(_ sql: String) throws {
        _ = try database.write { try $0.execute(sql) }
    }

    /// What the doctor says of the ledger.
    func finding() -> Finding {
        Examination(directory: folder.path, wall: WallClock { LedgerFixture.now }).ledgers()
    }
}
