import Foundation

// Real accounts, which pay with store credit.
extension Lab {
    /// Makes a real account and gives it credit.
    func openProduction(_ account: String, credit: String) throws {
        let real = ["--environment", "production"]
        try bodega(["account", "add", account, "--password", "rocket-fuel-1"] + real)
        try bodega(["credit", "add", account, credit] + real)
    }

    /// What an app needs beside the rest to buy in production.
    var productionEnvironment: [String: String] { ["STOREKIT_URL": storeURL + "/production"] }

    /// What the ledger charged for transactions, by their numbers, in thousandths.
    func charges() throws -> [String: [Int64]] {
        let rows = try SQLiteFile(storeFile).rows(
            """
            SELECT transaction_id, -milliunits FROM ledger_entry
            JOIN ledger_posting ON entry_number = number
            WHERE kind = 'charge' AND account_kind = 'customer'
            """)
        return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.compactMap { Int64($0[1]) } }
    }

    /// What a real account has left, in thousandths.
    func credit(of account: String) throws -> Int64 {
        try count(
            """
            SELECT milliunits FROM credit_balance JOIN account ON account.id = account_id
            WHERE name = '\(account)' AND environment = 'production'
            """, in: storeFile)
    }
}
