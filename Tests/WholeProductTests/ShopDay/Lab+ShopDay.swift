import Foundation
import StoreModel
import StoreWire
import Testing

extension Lab {
    /// Asks the store's `/control/v1` and gives the answer, whatever its status.
    private func control(
        _ method: String, _ path: String, body: [UInt8]? = nil
    ) throws -> (status: Int, body: [UInt8]) {
        let token = try String(contentsOfFile: storeData + "/control-token", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let answer = try Self.call(
            method, storeURL + "/control/v1" + path, token: token, body: body)
        return (answer.status, answer.body)
    }

    /// Makes an account of the plan, with what its purchases meet.
    func makeAccount(_ account: ShopDayPlan.Account) throws {
        let made = try control(
            "POST", "/accounts",
            body: try WireJSON.encode(
                MakeAccountBody(
                    environment: .sandbox, name: account.name, password: "rocket-fuel-1",
                    storefront: nil, needsApproval: account.needsApproval)))
        try #require(made.status == 201, "\(String(decoding: made.body, as: UTF8.self))")
        guard account.interruptsPurchases else { return }
        let set = try control(
            "POST", "/accounts/settings",
            body: try WireJSON.encode(
                AccountSettingsBody(name: account.name, interruptsPurchases: true)))
        try #require(set.status == 200, "\(String(decoding: set.body, as: UTF8.self))")
    }

    /// What waits for an approval, oldest first; one page of it.
    func requestsForApproval() throws -> [Int64] {
        let answer = try control("GET", "/approvals")
        try #require(answer.status == 200)
        return try WireJSON.decode(ApprovalsBody.self, from: answer.body).approvals.map(\.number)
    }

    /// Answers a request for approval; an answer that was given before stands.
    func answerRequest(_ number: Int64, approve: Bool) throws {
        let word = approve ? "approve" : "decline"
        let answer = try control("POST", "/approvals/\(number)/\(word)")
        try #require([200, 409].contains(answer.status))
    }

    /// The person settles what interrupted an account's purchases.
    func resolveInterruptions(of account: String) throws {
        let answer = try control(
            "POST", "/accounts/resolve", body: try WireJSON.encode(NamedAccountBody(name: account)))
        try #require(answer.status == 200)
    }

    /// The newest revision of each account's receipt that has one.
    func receiptRevisions() throws -> [String: Int64] {
        let rows = try SQLiteFile(storeFile).rows(
            """
            SELECT a.name, r.revision FROM receipt_revision r JOIN account a
            ON a.id = r.account_id
            """)
        return Dictionary(rows.map { ($0[0], Int64($0[1]) ?? 0) }) { first, _ in first }
    }

    /// The accounts that have something which was not finished.
    func accountsWithUnfinished() throws -> Set<String> {
        let rows = try SQLiteFile(storeFile).rows(
            """
            SELECT DISTINCT a.name FROM store_transaction t JOIN account a ON a.id = t.account_id
            WHERE t.finished_ms IS NULL
            """)
        return Set(rows.map { $0[0] })
    }
}
