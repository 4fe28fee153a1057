import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Kills the store at each step of a refund in production, where money moves: in the end each step
/// moved it once, and the books agree.
@Suite(.ownThreads) struct RefundMoneyCrashTests {
    private static let payer = "payer@example.com"
    private static let price: Int64 = 2_990

    struct Row: CustomTestStringConvertible, Sendable {
        let step: Int
        /// What the account has before it buys, in thousandths, and the rest is paid by card.
        let credit: Int64

        var testDescription: String { "step \(step) with credit of \(credit)" }
    }

    static let rows = [1_000, 5_000].flatMap { credit in
        (1...3).map { Row(step: $0, credit: credit) }
    }

    private func decimal(_ milliunits: Int64) -> String {
        "\(milliunits / 1_000).\("\(1_000 + milliunits % 1_000)".dropFirst())"
    }

    @Test(arguments: rows)
    func `a store killed at a step of a refund has moved the money once`(row: Row) throws {
        let (lab, provider) = try Lab.openWithProvider(withBackend: false)
        try lab.openProduction(Self.payer, credit: decimal(row.credit))
        let id = try buy(lab)
        let card = max(0, Self.price - row.credit)
        try restart(lab, crashingAt: "\(CrashPoint.storeRefundCommitted.rawValue):\(row.step)")
        let steps = [["request", id, "--reason", "other"], ["grant", id], ["reverse", id]]
        for (number, step) in steps.enumerated() {
            // What went back to the card has to be there again before it is taken once more.
            if number == 2, card > 0 {
                try lab.bodega(
                    ["credit", "add", Self.payer, decimal(card), "--environment", "production"])
            }
            guard number == row.step - 1 else {
                try lab.bodega(["refund"] + step)
                continue
            }
            try lab.bodega(["refund"] + step, code: 1)
            #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
            try lab.startStore()
            try lab.bodega(["refund"] + step)
        }
        #expect(try lab.waitForPayments() == 0, "something is still on its way")
        // All of it went back and out again.
        let paid = [-Self.price, Self.price, -Self.price]
        let moved = try SQLiteFile(lab.storeFile).rows(
            """
            SELECT milliunits FROM ledger_entry JOIN ledger_posting ON entry_number = number
            WHERE transaction_id = \(id) AND account_kind = 'customer' ORDER BY number
            """)
        #expect(moved == paid.map { ["\($0)"] })
        #expect(try lab.credit(of: Self.payer) == max(0, row.credit - Self.price))
        try check(lab, provider, card: card)
    }

    private func buy(_ lab: Lab) throws -> String {
        let token = try lab.signedInDevice(account: Self.payer, in: "production")
        let attempt = try WireJSON.encode(
            AttemptRequestBody(
                attemptId: UUID().uuidString, productId: Lab.turbo, quantity: 1,
                applicationUsername: nil))
        let isDone = try eventually {
            let answer = try Lab.call(
                "POST", "\(lab.storeURL)/production/device/v1/attempts", token: token,
                body: attempt)
            return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).state == .done
        }
        try #require(isDone)
        try #require(try lab.waitForPayments() == 0)
        return try #require(
            try SQLiteFile(lab.storeFile).rows("SELECT id FROM store_transaction").first?.first)
    }

    private func restart(_ lab: Lab, crashingAt point: String) throws {
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point])
    }

    /// Holds ledger and provider's book to what went through a card.
    private func check(_ lab: Lab, _ provider: ProviderProgram, card: Int64) throws {
        for kind in ["refundRequested", "revoked", "refundReversed"] {
            #expect(
                try lab.count(
                    "SELECT count(*) FROM event WHERE kind = '\(kind)'", in: lab.storeFile) == 1)
        }
        #expect(try lab.count("SELECT count(*) FROM revocation", in: lab.storeFile) == 0)
        lab.store?.kill()
        provider.kill()
        let book = try SQLiteFile(provider.book)
        let moved = card > 0 ? [["\(card)"]] : []
        #expect(
            try book.rows("SELECT captured FROM payment WHERE captured IS NOT NULL") == moved)
        #expect(try book.rows("SELECT milliunits FROM refund") == moved)
        #expect(try Auditor.disagreements(of: lab, with: provider, settled: true) == [])
        try lab.doctor()
        let money = try Program(
            "/usr/bin/python3", [Lab.package + "/Tests/Auditor/money.py", lab.storeFile],
            logs: lab.folder + "/logs")
        #expect(try Auditor.findings(of: money) == [])
    }
}
