import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

// Real accounts, what they have to spend, and where it went.
extension TestStore {
    /// The sample catalogue, and a real account that is signed in on a device; gives its token.
    func openProduction(storefront: String? = nil) async throws -> String {
        try await stock(storefront: storefront)
        try await addPayer(storefront: storefront)
        return try await signIn(account: "payer", in: "/production")
    }

    func addPayer(storefront: String? = nil) async throws {
        let made = try await control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .production, name: "payer", password: "rocket-fuel-1",
                storefront: storefront))
        try #require(made.status == 201)
    }

    /// Gives the real account credit.
    func topUp(_ amount: String) async throws {
        let answer = try await control(
            "POST", "/control/v1/accounts/credit/top-up",
            body: TopUpBody(
                environment: .production, name: "payer", requestId: UUID().uuidString,
                amount: amount))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// Every entry of the ledger, oldest first: kind, what the customer got or lost in thousandths,
    /// and the place of the transaction among all that were sold.
    func ledger() throws -> [String] {
        try registry.defaultWorld.database.read { scope in
            let sold = try scope.rows(
                "SELECT id FROM store_transaction WHERE restore_id IS NULL ORDER BY id"
            ).map { $0.integer(0) }
            return try scope.rows(
                """
                SELECT kind, milliunits, transaction_id FROM ledger_entry
                JOIN ledger_posting ON entry_number = number
                WHERE account_kind = 'customer' ORDER BY number
                """
            ).map { row in
                let place = row.integerOrNil(2).flatMap { sold.firstIndex(of: $0) }
                return "\(row.text(0)) \(row.integer(1))" + (place.map { " #\($0 + 1)" } ?? "")
            }
        }
    }

    /// What the real account has of its storefront's currency, in thousandths.
    func credit() throws -> Int64 {
        try registry.defaultWorld.database.read { scope in
            let found = try #require(try scope.accountSecret("payer", in: .production))
            return try scope.credit(
                of: found.account.id, in: found.account.storefront.currency
            ).milliunits
        }
    }

    /// What the doctor says of the ledger, once the store is closed.
    func ledgerFinding() throws -> Finding {
        registry.close()
        let copy = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: copy.path + "/worlds", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: directory + "/default.sqlite", toPath: copy.path + "/worlds/default.sqlite")
        return Examination(directory: copy.path, wall: WallClock { TestStore.start }).ledgers()
    }
}
