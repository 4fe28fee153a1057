import Foundation
import StoreWire
import TestSupport
import Testing

/// The owner's commands about accounts, the ledger and a world as a whole, against a store that runs.
@Suite(.ownThreads) struct OverviewCommandTests {
    private static let payer = "payer@example.com"

    /// The cells of a table that is printed, without its first line.
    private func cells(_ table: String) -> [[String]] {
        table.split(separator: "\n").dropFirst().map { line in
            line.replacing(/\ {2,}/, with: "\t").split(separator: "\t").map(String.init)
        }
    }

    /// A store whose clock is held, with a purchase in production; the number of that.
    private func open() throws -> (Lab, String) {
        let lab = try Lab.open(withBackend: false)
        try lab.bodega(["clock", "hold", "2026-04-01"])
        try lab.openProduction(Self.payer, credit: "10")
        let paying = lab.productionEnvironment.merging([
            "STOREKIT_ACCOUNT": "\(Self.payer):rocket-fuel-1"
        ]) { $1 }
        let sold = try #require(
            try lab.buyAndKeep([Lab.turbo], device: "real", environment: paying).first)
        return (lab, sold.transaction)
    }

    @Test func `accounts are searched by a part of their names, and one is shown`() throws {
        let (lab, _) = try open()
        func names(_ options: [String]) throws -> [String] {
            cells(try lab.bodega(["account", "list"] + options)).map(\.[0])
        }
        #expect(try names([]) == [Self.payer, "buyer@example.com"])
        #expect(try names(["--search", "PAYER@"]) == [Self.payer])
        #expect(try names(["--search", "_"]) == [])
        #expect(try names(["--environment", "sandbox"]) == ["buyer@example.com"])
        #expect(try names(["--limit", "1"]) == [Self.payer])
        let json = try lab.bodega(["account", "list", "--json"])
        let body = try WireJSON.decode(AccountsBody.self, from: Array(json.utf8))
        #expect(body.accounts.map(\.name) == [Self.payer, "buyer@example.com"])
        let show = ["account", "show", Self.payer]
        let shown = try lab.bodega(show + ["--environment", "production"])
        for line in [
            "account         \(Self.payer)", "made            2026-04-01T00:00:00Z",
            "credit          7.01 USD", "signed in       on 1 of 1 devices",
            "transactions    1\n", "subscriptions   0",
        ] { #expect(shown.contains(line), "\(shown)") }
        #expect(try lab.bodega(show, code: 1).contains("There is no account \"\(Self.payer)\""))
        #expect(
            try lab.bodega(["account", "show", "buyer@exmaple.com"], code: 1)
                .contains("(did you mean buyer@example.com?)"))
        try lab.bodega(["family", "make", "buyer@example.com"])
        let family = try lab.bodega(["account", "show", "buyer@example.com"])
        #expect(family.contains("In family 1:\nMEMBER"), "\(family)")
        #expect(family.contains("buyer@example.com  organiser  yes"), "\(family)")
    }

    @Test func `the ledger's entries and accounts are listed`() throws {
        let (lab, sold) = try open()
        try lab.bodega(["credit", "add", "buyer@example.com", "1.50"])
        try lab.bodega(["credit", "take", "buyer@example.com", "0.50", "--reason", "Too much."])
        let entries = cells(try lab.bodega(["ledger", "entries"]))
        #expect(entries.map(\.[3]) == ["correction", "topUp", "charge", "topUp"])
        #expect(entries[0].last == "Too much.")
        #expect(
            entries[2] == [
                "2", "2026-04-01T00:00:00Z", "production", "charge", "charge/\(sold)",
                "\(Self.payer) -2.99 USD, default 2.99 USD",
            ])
        for (options, numbers) in [
            (["--limit", "1"], ["4"]), (["--kind", "charge"], ["2"]),
            (["--developer", "default"], ["2"]), (["--environment", "sandbox"], ["4", "3"]),
            (["--account", Self.payer, "--environment", "production"], ["2", "1"]),
        ] {
            let found = cells(try lab.bodega(["ledger", "entries"] + options)).map(\.[0])
            #expect(found == numbers, "\(options)")
        }
        #expect(
            cells(try lab.bodega(["ledger", "accounts"])) == [
                ["developer", "default", "-", "2.99 USD"], ["funding", "-", "-", "-11 USD"],
                ["customer", "buyer@example.com", "sandbox", "1 USD"],
                ["customer", Self.payer, "production", "7.01 USD"],
            ])
        let json = try lab.bodega(["ledger", "accounts", "--holder", "developer", "--json"])
        let body = try WireJSON.decode(LedgerAccountsBody.self, from: Array(json.utf8))
        #expect(body.accounts.map(\.milliunits) == [2_990])
        for (words, code, said) in [
            (["accounts", "--holder", "bank"], 2, "holder is not one of customer, developer"),
            (["entries", "--kind", "sale"], 2, "--kind sale is not one of"),
            (["entries", "--developer", "nobody"], 1, "no developer account \"nobody\""),
        ] as [([String], Int32, String)] {
            #expect(try lab.bodega(["ledger"] + words, code: code).contains(said), "\(words)")
        }
    }

    @Test func `an overview counts production and the sandbox apart`() throws {
        let (lab, sold) = try open()
        try lab.bodega([
            "refund", "request", sold, "--reason", "unintended-purchase",
        ])
        let shown = try lab.bodega(["overview"])
        #expect(shown.contains("clock           2026-04-01T00:00:00Z, held"), "\(shown)")
        let table = shown.components(separatedBy: "\n\n").last ?? ""
        let counts = Dictionary(
            uniqueKeysWithValues: cells(table).map { ($0[0], Array($0.dropFirst())) })
        #expect(counts["accounts"] == ["1", "1"], "\(shown)")
        #expect(counts["transactions"] == ["1", "0"], "\(shown)")
        #expect(counts["refund requests, undecided"] == ["1", "0"], "\(shown)")
        let json = try lab.bodega(["overview", "--json"])
        let body = try WireJSON.decode(OverviewBody.self, from: Array(json.utf8))
        #expect(body.environments.map(\.transactions.count) == [1, 0])
        try lab.bodega(["world", "make", "empty"])
        #expect(try lab.bodega(["overview", "--world", "empty"]).contains("world           empty"))
    }
}
