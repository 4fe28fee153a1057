import Foundation
import StoreWire
import TestSupport
import Testing

/// The owner's commands about sales, events and devices, against a store that runs.
@Suite(.ownThreads) struct SaleCommandTests {
    private static let payer = "payer@example.com"

    /// The cells of a table that is printed, without its first line.
    private func cells(_ table: String) -> [[String]] {
        table.split(separator: "\n").dropFirst().map { line in
            line.replacing(/\ {2,}/, with: "\t").split(separator: "\t").map(String.init)
        }
    }

    @Test func `sales are listed, narrowed, and shown with all that belongs to them`() throws {
        let lab = try Lab.open(withBackend: false)
        let list = ["transaction", "list"]
        let header = "TRANSACTION  BOUGHT  ACCOUNT  APP  PRODUCT  QUANTITY  PRICE  CHARGED  "
        #expect(try lab.bodega(list) == header + "REFUNDED  STATE\n")
        #expect(
            try lab.bodega(list + ["--json"]) == #"{"position":"0-0","transactions":[]}"# + "\n")
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let test = try #require(try lab.buyAndKeep([Lab.turbo]).first).transaction
        try lab.bodega(["clock", "advance", "1d"])
        try lab.openProduction(Self.payer, credit: "10")
        let paying = lab.productionEnvironment.merging([
            "STOREKIT_ACCOUNT": "\(Self.payer):rocket-fuel-1"
        ]) { $1 }
        let real = try #require(
            try lab.buyAndKeep([Lab.turbo], device: "real", environment: paying).first
        ).transaction
        #expect(
            cells(try lab.bodega(list)) == [
                [
                    real, "2026-04-02T00:00:00Z", Self.payer, Lab.bundleID, Lab.turbo, "1",
                    "2.99 USD", "2.99 USD", "-", "unfinished",
                ],
                [
                    test, "2026-04-01T00:00:00Z", "buyer@example.com", Lab.bundleID, Lab.turbo,
                    "1", "2.99 USD", "-", "-", "unfinished",
                ],
            ])
        for (options, expected) in [
            (["--limit", "1"], [real]), (["--account", "buyer@example.com"], [test]),
            (["--account", Self.payer, "--environment", "production"], [real]),
            (["--environment", "sandbox"], [test]), (["--product", Lab.fuel], []),
            (["--product", Lab.turbo, "--bundle-id", Lab.bundleID], [real, test]),
            (["--state", "unfinished"], [real, test]), (["--state", "finished"], []),
            (["--from", "2026-04-02"], [real]), (["--until", "2026-04-02"], [test]),
        ] {
            #expect(cells(try lab.bodega(list + options)).map(\.[0]) == expected, "\(options)")
        }
        let shown = try lab.bodega(["transaction", "show", real])
        for line in [
            "account         \(Self.payer)", "charged         2.99 USD",
            "state           unfinished",
            "In the ledger:", "\(Self.payer) -2.99 USD, default 2.99 USD",
        ] { #expect(shown.contains(line), "\(shown)") }
        let json = try lab.bodega(["transaction", "show", real, "--json"])
        let body = try WireJSON.decode(SaleDetailsBody.self, from: Array(json.utf8))
        #expect(body.transaction.sold.transactionId == real && body.ledger.count == 1)
        #expect(
            try lab.bodega(["transaction", "show", "1"], code: 1).contains("no such transaction"))
    }

    @Test func `unknown names are told with the nearest known one, and bad values refused`() throws
    {
        let lab = try Lab.open(withBackend: false)
        for (options, code, said) in [
            (["--account", "buyer@exmaple.com"], 1, "(did you mean buyer@example.com?)"),
            (["--account", "somebody"], 1, "There is no account \"somebody\" in the sandbox"),
            (["--bundle-id", Lab.bundleID + "s"], 1, "(did you mean \(Lab.bundleID)?)"),
            (["--product", Lab.fuel + "l"], 1, "(did you mean \(Lab.fuel)?)"),
            (["--state", "finish"], 2, "--state finish is not one of revoked, replaced, unfini"),
            (["--environment", "live"], 2, "--environment live is neither sandbox nor production"),
            (["--from", "soon"], 2, "--from soon is not a time"),
            (["--from", "2026-02-01", "--until", "2026-01-01"], 2, "until is not after from"),
            (["--limit", "0"], 2, "--limit 0 is not a number from 1 up"),
        ] as [([String], Int32, String)] {
            let text = try lab.bodega(["transaction", "list"] + options, code: code)
            #expect(text.contains(said), "\(text)")
            #expect(text.components(separatedBy: "did you mean").count <= 2, "\(text)")
        }
        for (words, code, said) in [
            (["event", "list", "--after", "x"], 2, "--after x is not a number from 1 up"),
            (["event", "list", "--after", "1", "--limit", "1"], 2, "leave one out"),
            (["event", "list", "--kind", "sold"], 2, "kind is not one of purchased, finished"),
            (["event", "show", "7"], 1, "has no event with that number"),
            (["device", "show", "7"], 1, "has no device with that number"),
            (["device", "show", "x"], 2, "bodega device list shows them"),
            (["device", "status"], 2, "bodega device status needs --home"),
        ] as [([String], Int32, String)] {
            #expect(try lab.bodega(words, code: code).contains(said), "\(words)")
        }
    }

    @Test func `devices are listed, and show what they tried to buy`() throws {
        let lab = try Lab.open(withBackend: false)
        let list = ["device", "list"]
        let header = "NUMBER  ENVIRONMENT  APP  VERSION  REGISTERED  SIGNED IN\n"
        #expect(try lab.bodega(list) == header)
        #expect(try lab.bodega(list + ["--json"]) == #"{"devices":[]}"# + "\n")
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let sold = try #require(try lab.buyAndKeep([Lab.turbo]).first).transaction
        #expect(
            cells(try lab.bodega(list + ["--account", "buyer@example.com"])) == [
                [
                    "1", "sandbox", Lab.bundleID, "1.0", "2026-04-01T00:00:00Z",
                    "buyer@example.com",
                ]
            ])
        #expect(try lab.bodega(list + ["--environment", "production"]) == header)
        let shown = try lab.bodega(["device", "show", "1"])
        #expect(shown.contains("signed in       buyer@example.com"), "\(shown)")
        let attempt = try #require(shown.split(separator: "\n").last)
        #expect(attempt.contains("\(Lab.turbo)  done   \(sold)"), "\(attempt)")
    }

    @Test func `the history is listed, and followed as it goes on`() throws {
        let lab = try Lab.open(withBackend: false)
        let list = ["event", "list"]
        let header = "NUMBER  AT  KIND  ACCOUNT  APP  PRODUCT  TRANSACTION  SUBJECT\n"
        #expect(try lab.bodega(list) == header)
        try lab.bodega(["world", "snapshot", "default", "before"])
        let nothing = try WireJSON.decode(
            EventsBody.self, from: Array(try lab.bodega(list + ["--json"]).utf8))
        #expect(nothing.events.isEmpty && nothing.position == 0 && nothing.next == nil)
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let sold = try #require(try lab.buyAndKeep([Lab.turbo]).first).transaction
        let row = [
            "1", "2026-04-01T00:00:00Z", "purchased", "buyer@example.com", Lab.bundleID, Lab.turbo,
            sold, "-",
        ]
        #expect(cells(try lab.bodega(list)) == [row])
        let shown = try lab.bodega(["event", "show", "1"])
        #expect(shown.contains("kind            purchased"), "\(shown)")
        #expect(shown.contains("state           unfinished"), "\(shown)")
        func follow(_ more: [String]) throws -> Program {
            try Program(
                "bodega", list + ["--follow"] + more, environment: ["BODEGA_DATA": lab.storeData],
                logs: lab.folder + "/logs")
        }
        let lines = try follow(["--limit", "1"])
        let objects = try follow(["--json"])
        defer { for program in [lines, objects] { program.kill() } }
        #expect(eventually { lines.output.contains(sold) && objects.output.contains(sold) })
        try lab.bodega(["transaction", "revoke", sold, "--reason", "issue"])
        #expect(eventually { lines.output.contains("revoked") })
        #expect(eventually { objects.output.contains("revoked") })
        for program in [lines, objects] { #expect(program.isRunning) }
        let news = ["2", row[1], "revoked"] + row[3...]
        #expect(cells(lines.output).last == news, "\(lines.output)")
        let events = try objects.output.split(separator: "\n").map {
            try WireJSON.decode(EventBody.self, from: Array($0.utf8))
        }
        #expect(events.map(\.kind) == ["purchased", "revoked"])
        // The newest, oldest first; and those after one.
        #expect(cells(try lab.bodega(list + ["--limit", "2"])).map(\.[0]) == ["1", "2"])
        #expect(cells(try lab.bodega(list + ["--limit", "1"])).map(\.[0]) == ["2"])
        #expect(cells(try lab.bodega(list + ["--after", "1"])).map(\.[0]) == ["2"])
        #expect(cells(try lab.bodega(list + ["--kind", "revoked"])).map(\.[0]) == ["2"])
        // A world in this one's place is followed from its start, however short it is.
        try lab.bodega(["world", "restore", "default", "before", "--yes"])
        try lab.bodega(["buy", Lab.turbo, "--account", "buyer@example.com"])
        let whole = cells(try lab.bodega(list))
        #expect(whole.count == 1)
        #expect(eventually { cells(lines.output).last == whole.last })
        #expect(lines.errors.contains("the world was replaced"), "\(lines.errors)")
        #expect(objects.isRunning)
    }
}
