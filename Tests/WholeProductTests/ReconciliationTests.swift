import Foundation
import StoreWire
import TestSupport
import Testing

/// A shop's year in production: what the store charged, what the backend delivered, and its prices.
@Suite(.ownThreads) struct ReconciliationTests {
    private let lab: Lab

    init() throws {
        lab = try Lab.open()
    }

    private static let payer = "payer@example.com"

    private func app(_ arguments: [String]) throws -> String {
        try lab.app(
            arguments,
            environment: lab.productionEnvironment.merging([
                "STOREKIT_ACCOUNT": "\(Self.payer):rocket-fuel-1"
            ]) { _, new in new })
    }

    private func backend(_ arguments: [String], code: Int32 = 0) throws -> String {
        let program = try Program(
            "bodega", ["backend"] + arguments,
            environment: ["BODEGA_BACKEND_DATA": lab.backendData], logs: lab.folder + "/logs")
        let ended = try program.wait()
        #expect(ended == code, "\(arguments): \(program.output)\(program.errors)")
        return code == 0 ? program.output : program.errors
    }

    private func write(_ text: String, _ name: String) throws -> String {
        let path = lab.folder + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func purchased(_ product: String, _ output: String) throws -> String {
        let line = output.split(separator: "\n").first { $0.hasPrefix("purchased \(product) ") }
        return String(try #require(line, "\(output)").split(separator: " ")[2])
    }

    /// What the ledger has of all developers' proceeds, in thousandths.
    private func proceeds() throws -> Int64 {
        try lab.count(
            """
            SELECT coalesce(sum(milliunits), 0) FROM ledger_posting
            WHERE account_kind = 'developer'
            """, in: lab.storeFile)
    }

    @Test func `the report of a year sums to the ledger to the unit`() throws {
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2026-01-15"])
        try lab.openProduction(Self.payer, credit: "100")
        let prices = try write(
            """
            {"prices": [
              {"productId": "\(Lab.turbo)", "storefront": "USA", "currency": "USD", "amount": 299},
              {"productId": "\(Lab.club)", "storefront": "USA", "currency": "USD", "amount": 199},
              {"productId": "\(Lab.fuel)", "storefront": "USA", "currency": "USD", "amount": 99,
               "until": "2026-06-01"},
              {"productId": "\(Lab.fuel)", "storefront": "USA", "currency": "USD", "amount": 149,
               "from": "2026-06-01"}
            ]}
            """, "prices.json")
        #expect(try backend(["prices", "set", prices]).contains("4 price records"))
        #expect(try backend(["prices", "list"]).contains("1.49 USD"))
        _ = try app(["buy", Lab.turbo])
        _ = try app(["buy", Lab.club])
        var fuel: [String] = []
        for month in ["02", "04", "07", "11"] {
            try lab.bodega(["clock", "advance", "2026-\(month)-15"])
            let bought = try purchased(Lab.fuel, try app(["buy", Lab.fuel]))
            fuel.append(bought)
            guard month == "04" else { continue }
            try lab.bodega(["refund", "request", bought, "--reason", "other"])
            try lab.bodega(["refund", "grant", bought])
        }
        // The store never raised the price of fuel in June.
        try lab.bodega(["clock", "advance", "2027-01-10"])

        let json = try write(lab.bodega(["transaction", "export"]), "sales.json")
        let csv = try write(lab.bodega(["transaction", "export", "--csv"]), "sales.csv")
        let text = try backend(["reconcile", json, "--json"])
        #expect(try backend(["reconcile", csv, "--json"]) == text)
        let report = try WireJSON.decode(ReconciliationBody.self, from: Array(text.utf8))
        let charged = try lab.charges().values.joined().reduce(0, +)
        #expect(report.totals.map(\.currency) == ["USD"])
        #expect(report.totals.first?.chargedMilliunits == charged)
        #expect(try report.totals.first?.netMilliunits == proceeds())
        #expect(
            report.lines.reduce(0) { $0 + $1.netMilliunits } == report.totals.first?.netMilliunits)
        let club = report.lines.filter { $0.productId == Lab.club }
        #expect(club.count == 12)
        #expect(club.allSatisfy { $0.sold == .init(count: 1, milliunits: 1_990) })
        let months = report.lines.filter { $0.productId == Lab.fuel }
        #expect(months.map(\.month) == ["2026-02", "2026-04", "2026-07", "2026-11"])
        #expect(months.map(\.sold.count) == [1, 1, 0, 0])
        #expect(months.map(\.differs.count) == [0, 0, 1, 1])
        #expect(months.map(\.refunded.milliunits) == [0, 990, 0, 0])
        #expect(report.differences.map(\.transactionId) == [fuel[2], fuel[3]])
        #expect(report.differences.allSatisfy { $0.expectedMilliunits == 1_490 })
        #expect(report.notDelivered.isEmpty && report.notExported.isEmpty)
        let page = try backend(["reconcile", csv])
        #expect(page.contains("\(fuel[3]) of \(Lab.fuel) was charged 0.99 USD, not 1.49 USD"))
        #expect(page.contains("refunded"))
    }

    @Test func `bad prices and bad exports are refused with their place`() throws {
        func item(_ more: String) -> String {
            "{\"productId\": \"a\", \"storefront\": \"USA\", \"currency\": \"USD\", \(more)}"
        }
        for (items, word) in [
            ([item("\"amount\": -1")], "prices[0]"),
            ([item("\"amount\": 1"), item("\"amount\": 2")], "prices[1] overlaps prices[0]"),
            ([item("\"amount\": 1, \"from\": \"soon\"")], "prices[0].from"),
            ([item("\"amount\": 1").replacing("USD", with: "XTS")], "XTS"), (["{}"], "productId"),
        ] {
            let path = try write(
                "{\"prices\": [\(items.joined(separator: ","))]}", "prices.json")
            #expect(try backend(["prices", "set", path], code: 2).contains(word))
        }
        #expect(try backend(["prices", "list"]).contains("PRODUCT"))
        for (text, word) in [
            ("", "first line"), ("{}", "transactions"), ("a,b\n\"c", "line 2"),
            (SoldTransactionBody.csvHeader.joined(separator: ",") + "\n1,2\n", "row 2"),
        ] {
            let path = try write(text, "sales")
            #expect(try backend(["reconcile", path], code: 1).contains(word))
        }
        #expect(try backend(["reconcile", "/nowhere"], code: 1).contains("cannot be read"))
    }
}
